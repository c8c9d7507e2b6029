#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads /metrics of a server as Prometheus does: check-metrics.py URL. Fails at what cannot be read, or means nothing."""
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families


def check_histogram(family):
    """Of each set of labels the buckets grow, and the last is the count."""
    buckets, counts = {}, {}
    for sample in family.samples:
        labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
        if sample.name.endswith("_bucket"):
            buckets.setdefault(labels, []).append((float(sample.labels["le"]), sample.value))
        elif sample.name.endswith("_count"):
            counts[labels] = sample.value
    assert buckets.keys() == counts.keys() and buckets, family.name
    for labels, values in buckets.items():
        assert values == sorted(values) and values[-1] == (float("inf"), counts[labels]), (family.name, labels)
        assert [value for _, value in values] == sorted(value for _, value in values), (family.name, labels)


def main():
    with urllib.request.urlopen(sys.argv[1] + "/metrics", timeout=30) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    names = [family.name for family in families]
    assert len(names) == len(set(names)), "a name has two types"
    for family in families:
        assert family.type in ("counter", "gauge", "histogram"), (family.name, family.type)
        if family.type == "histogram":
            check_histogram(family)
    print(f"metrics: {len(families)} families, as Prometheus reads them")


main()
