// SPDX-License-Identifier: Apache-2.0
#pragma once

struct queue {
    volatile int *items;
    int count;
};

int drain(struct queue *queue);
