// SPDX-License-Identifier: Apache-2.0

/// The one style of all pages: a single column that fits a phone, light or dark as the reader's system is.
enum Stylesheet {
    private static let dark = """
        --ground: #14171a; --raised: #1d2126; --line: #343a42; --ink: #e8eaed; --soft: #a7afba;
        --link: #8ab8f0; --app: #8ab8f0; --app-ground: #16283c; --fatal: #f2867f; --warn: #f0bf6c; --warn-ground: #33270f;
        """

    static let text = """
        :root {
          color-scheme: light dark;
          --ground: #ffffff; --raised: #f5f6f8; --line: #d9dde3; --ink: #16191d; --soft: #565e69;
          --link: #0b57a4; --app: #0b57a4; --app-ground: #eaf2fb; --fatal: #b3261e; --warn: #8a5300; --warn-ground: #fdf1dc;
        }
        @media (prefers-color-scheme: dark) {
          :root:not([data-theme="light"]) {
            \(dark)
          }
        }
        :root[data-theme="light"] { color-scheme: light; }
        :root[data-theme="dark"] {
          color-scheme: dark;
          \(dark)
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
        header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .3rem 1.2rem; padding: .6rem 1rem;
          border-bottom: 1px solid var(--line); }
        .session { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: center; }
        .choices form { margin: .4rem 0; }
        main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
        a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .3rem .6rem; }
        .brand { font-weight: 700; text-decoration: none; color: var(--ink); }
        h1 { font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; margin: .5rem 0 1rem; }
        h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; overflow-wrap: anywhere; }
        code, pre { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
        pre { background: var(--raised); padding: .6rem .8rem; white-space: pre-wrap; border-radius: .3rem; }
        ul, ol { padding: 0; margin: 0; list-style: none; }
        .hint, .culprit, .facts, .place { color: var(--soft); }
        .message { background: var(--raised); border-left: 4px solid var(--fatal); padding: .5rem .8rem;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        .problem { color: var(--fatal); font-weight: 600; }
        .issues > li { border-bottom: 1px solid var(--line); border-left: 4px solid var(--line); padding: .7rem .8rem; }
        .issues > .level-fatal, .issues > .level-error { border-left-color: var(--fatal); }
        .issues > .level-warning { border-left-color: var(--warn); }
        .issues .title { font-weight: 600; overflow-wrap: anywhere; }
        .facts { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .875rem; }
        .badge { display: inline-block; background: var(--raised); color: var(--soft); border: 1px solid var(--line);
          border-radius: .3rem; padding: 0 .35rem; margin: 0 .25rem; font-size: .8rem; }
        .badge.waiting, .badge.missing { background: var(--warn-ground); color: var(--warn); border-color: var(--warn); }
        .stack { border: 1px solid var(--line); border-radius: .3rem; counter-reset: frame -1; }
        .stack > li { padding: .35rem .8rem; border-bottom: 1px solid var(--line); }
        .stack > li:last-child { border-bottom: 0; }
        .stack .frame { counter-increment: frame; }
        .stack .name::before { content: counter(frame) " "; color: var(--soft); font-size: .8rem; }
        .stack .app { background: var(--app-ground); border-left: 4px solid var(--app); }
        .stack .app .name code { font-weight: 700; }
        .stack .guess { opacity: .8; }
        .place { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .82rem; overflow-wrap: anywhere; }
        .place .file { color: var(--ink); }
        .source { margin: .35rem 0 .2rem; padding: .3rem 0; background: var(--raised); border-radius: .3rem; overflow-x: auto; }
        .source li { display: flex; min-width: max-content; padding: 0 .6rem; }
        .source .number { flex: none; width: 3.2rem; padding-right: .8rem; text-align: right; color: var(--soft);
          font: .8rem/1.6 ui-monospace, monospace; user-select: none; }
        .source code { white-space: pre; font-size: .8rem; line-height: 1.6; }
        .source .line { background: var(--warn-ground); box-shadow: inset 3px 0 var(--warn); }
        .source .line code { font-weight: 700; }
        .facts-table { margin: 0; }
        .facts-table > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .15rem 0; border-bottom: 1px solid var(--line); }
        .facts-table dt { color: var(--soft); min-width: 8rem; overflow-wrap: anywhere; }
        .facts-table dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
        .loss li { padding: .2rem 0 .2rem .8rem; border-left: 4px solid var(--warn); margin: .2rem 0; overflow-wrap: anywhere; }
        .breadcrumbs li { overflow-wrap: anywhere; }
        .breadcrumbs time { color: var(--soft); font-size: .82rem; }
        .breadcrumbs code { margin-left: .5rem; color: var(--soft); }
        .threads > li { border-bottom: 1px solid var(--line); }
        .threads details { margin: 0; }
        .threads summary, .threads .line { display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: baseline; padding: .3rem 0; color: var(--ink);
          overflow-wrap: anywhere; }
        .threads summary::before { content: "▸"; color: var(--soft); }
        .threads [open] > summary::before { content: "▾"; }
        .threads a.line b { color: var(--link); text-decoration: underline; }
        .threads .top { color: var(--soft); min-width: 0; }
        .timeline { width: 100%; height: 1.25rem; display: block; }
        svg .grave { fill: var(--fatal); }
        svg .exchange { fill: var(--soft); }
        .breadcrumbs { border-left: 2px solid var(--line); margin-left: .35rem; }
        .breadcrumbs > li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 .6rem; position: relative; border-left: 0;
          padding: .3rem 0 .3rem .9rem; }
        .breadcrumbs > li::before { content: ""; position: absolute; left: -.4rem; top: .75rem; width: .65rem; height: .65rem; border-radius: 50%;
          background: var(--line); border: 2px solid var(--ground); }
        .breadcrumbs > .level-error::before, .breadcrumbs > .level-fatal::before { background: var(--fatal); }
        .breadcrumbs > .level-warning::before { background: var(--warn); }
        .breadcrumbs time { font-variant-numeric: tabular-nums; }
        .breadcrumbs .badge { margin-left: 0; }
        .exchange > code { margin: 0; color: var(--ink); }
        .release-0 { fill: var(--link); background: var(--link); }
        .release-1 { fill: var(--warn); background: var(--warn); }
        .release-2 { fill: var(--soft); background: var(--soft); }
        .release-3 { fill: var(--fatal); background: var(--fatal); }
        .release-4 { fill: var(--line); background: var(--line); }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .85rem; overflow-wrap: anywhere; }
        .legend li { display: flex; gap: .4rem; align-items: center; min-width: 0; }
        .swatch { flex: none; width: .8rem; height: .8rem; border-radius: .15rem; }
        .inline { display: inline-block; margin-left: .5rem; }
        .actions select { padding: .2rem .4rem; }
        .more form { margin: .4rem 0; }
        .stack .frame.inlined { padding-left: 2rem; }
        .stack .name .hint { font-size: .8rem; margin: 0 .4rem; }
        .code { overflow-x: auto; background: var(--raised); border-radius: .3rem; padding: .4rem 0; font: .8rem/1.7 ui-monospace, monospace; }
        .code > li { display: flex; gap: 1.2rem; min-width: max-content; padding: 0 .8rem; white-space: pre; }
        .code code { font-size: 1em; min-width: 19rem; overflow-wrap: normal; }
        .code .characters { min-width: 0; color: var(--soft); }
        .code .address, .code .bytes, .code .target { color: var(--soft); }
        .code .bytes { min-width: 11rem; }
        .code .mark { color: var(--soft); padding-top: .4rem; font-weight: 600; }
        .code .current { background: var(--warn-ground); box-shadow: inset 3px 0 var(--warn); font-weight: 700; }
        .code .current span, .code .pointed .target { color: var(--ink); }
        @media (max-width: 40rem) {
          .code .bytes { display: none; }
          .code > li { gap: .8rem; padding: 0 .5rem; }
          .code code { min-width: 14rem; }
        }
        .dump { margin: .6rem 0; }
        .dump figcaption { display: block; }
        .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 2.5rem; }
        .columns > section { min-width: 0; }
        .variant .facts { margin-bottom: .4rem; }
        .spark { width: 5.25rem; height: 1.5rem; flex: none; }
        .bars { width: 100%; height: 4rem; display: block; }
        svg .some { fill: var(--link); }
        svg .none { fill: var(--line); }
        .chart { margin: .4rem 0; }
        figcaption { display: flex; justify-content: space-between; gap: 1rem; font-size: .82rem; color: var(--soft); }
        .issues .head { display: flex; justify-content: space-between; gap: 1rem; align-items: start; }
        nav { display: flex; flex-wrap: wrap; gap: .2rem .9rem; }
        nav [aria-current] { color: var(--ink); font-weight: 700; text-decoration: none; }
        .steps { margin-bottom: .6rem; }
        .stack .folded > details { margin: 0; }
        .stack .folded summary { color: var(--soft); padding: 0; }
        .stack .inner > li { padding: .35rem 0; border-top: 1px solid var(--line); }
        footer { max-width: 70rem; margin: 1.5rem auto 0; padding: .8rem 1rem; border-top: 1px solid var(--line); }
        .theme { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; color: var(--soft); font-size: .875rem; }
        .theme [aria-pressed="true"] { border-color: var(--link); font-weight: 700; }
        details { margin: .4rem 0; }
        summary { cursor: pointer; padding: .3rem 0; }
        .registers { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0 1rem; margin: 0; }
        .registers > div { display: flex; gap: .6rem; }
        .registers dt { min-width: 3.5rem; color: var(--soft); }
        .registers dd { margin: 0; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; font-size: .85rem; }
        th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        .image-missing { color: var(--warn); font-weight: 600; }
        .history li { padding: .2rem 0; }
        .actions { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .8rem 0; }
        .actions form { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
        .actions input, .actions textarea { width: auto; padding: .2rem .4rem; }
        .search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: 1rem; }
        .search input { flex: 1 1 12rem; width: auto; min-width: 0; }
        .search .pair { display: flex; flex: 1 1 16rem; gap: .5rem; align-items: center; min-width: 0; }
        .search .pair label { min-width: 4rem; }
        select { font: inherit; padding: .5rem; max-width: 100%; border: 1px solid var(--soft); border-radius: .3rem; background: var(--ground);
          color: var(--ink); }
        .badge.status-regressed { background: var(--warn-ground); color: var(--warn); border-color: var(--warn); }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
        .filters { margin-bottom: .6rem; font-size: .9rem; }
        #news:not(:empty) { margin-bottom: .6rem; }
        #news button { width: 100%; background: var(--app-ground); border-color: var(--app); color: var(--ink); padding: .4rem; }
        .issues .fresh { background: var(--app-ground); }
        .issues > li:focus-within { background: var(--raised); }
        .issues .head .title { flex: 1; }
        input[type="checkbox"], input[type="radio"] { width: 1.1rem; height: 1.1rem; padding: 0; accent-color: var(--link); vertical-align: -.15rem; }
        .bulk { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; border: 0; border-bottom: 1px solid var(--line);
          padding: .3rem 0 .6rem; margin: 0; min-width: 0; font-size: .9rem; color: var(--soft); }
        .bulk legend { float: left; padding: 0; }
        .bulk input:not([type="checkbox"]) { width: 9rem; padding: .15rem .4rem; }
        .issues > .chosen-by { padding-left: 2.6rem; }
        .issues .head .choose { margin: .2rem 0 0 -1.8rem; width: 1.2rem; height: 1.2rem; }
        .facts .badge { margin: 0; }
        @media (max-width: 45rem) {
          @supports selector(:has(*)) {
            form:not(:has(.choose:checked)) > .bulk { display: none; }
            .bulk { position: fixed; inset: auto 0 0 0; z-index: 1; background: var(--raised); border-top: 1px solid var(--line); padding: .6rem 1rem; }
          }
        }
        .keys { margin-top: 1rem; color: var(--soft); }
        kbd { font-family: ui-monospace, monospace; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: .25rem;
          padding: 0 .35rem; color: var(--ink); }
        .parts { font-size: .9rem; margin-bottom: 1rem; }
        .parts a { padding: .15rem 0; }
        @media (min-width: 60rem) {
          .with-parts { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
          .parts { flex-direction: column; position: sticky; top: 1rem; }
          .parts a { text-decoration: none; padding: .2rem .6rem; border-left: 3px solid var(--line); }
          .parts a[aria-current] { border-left-color: var(--link); }
        }
        form.settings { display: grid; gap: .9rem; max-width: 34rem; justify-items: start; margin: .6rem 0; }
        form.settings > * { width: 100%; margin: 0; }
        form.settings > button { width: auto; }
        .field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; }
        .field .hint, .boxes .hint { margin: 0; font-size: .875rem; }
        .field label, .boxes legend { font-weight: 600; padding: 0; }
        .boxes { border: 0; padding: 0; margin: 0; display: grid; gap: .3rem; min-width: 0; }
        .boxes label { display: flex; gap: .5rem; align-items: start; overflow-wrap: anywhere; }
        .boxes input { flex: none; margin: .25rem 0 0; }
        [aria-invalid="true"] { border-color: var(--fatal); outline: 1px solid var(--fatal); }
        .notice { background: var(--app-ground); border-left: 4px solid var(--app); padding: .6rem .8rem; margin: 0 0 1rem; }
        .notice p { margin: 0; }
        .notice pre { margin: .5rem 0 0; background: var(--ground); }
        .caution { margin: 0; }
        .caution p { margin: .2rem 0; max-width: 24rem; color: var(--soft); }
        td .settings { margin: .2rem 0; gap: .4rem; }
        td summary { padding: .1rem 0; color: var(--link); white-space: nowrap; }
        th time, td time, th > code, td > code { white-space: nowrap; overflow-wrap: normal; }
        .walk { counter-reset: step; max-width: 46rem; }
        .walk > li { counter-increment: step; position: relative; padding: 0 0 1.2rem 2.6rem; border-left: 2px solid var(--line); margin-left: .9rem; }
        .walk > li::before { content: counter(step); position: absolute; left: -.95rem; top: -.1rem; width: 1.8rem; height: 1.8rem;
          border-radius: 50%; background: var(--link); color: var(--ground); text-align: center; line-height: 1.8rem; font-weight: 700; }
        .walk > li:last-child { border-left-color: transparent; }
        .walk h2 { margin: 0 0 .5rem; }
        h3 { font-size: .95rem; margin: 1rem 0 .3rem; }
        .waiting { border: 1px dashed var(--soft); border-radius: .3rem; padding: .7rem .9rem; }
        .arrived { background: var(--app-ground); border: 1px solid var(--app); border-radius: .3rem; padding: .7rem .9rem; font-weight: 600; }
        a.button { display: inline-block; padding: .5rem 1rem; border-radius: .3rem; background: var(--link); color: var(--ground);
          text-decoration: none; }
        @media (min-width: 45rem) { .facts-table.aligned dt { width: 24rem; } }
        .upload { display: grid; gap: .4rem; max-width: 34rem; justify-items: start; border: 1px dashed var(--soft); border-radius: .3rem;
          padding: .9rem 1rem; margin-bottom: 1.2rem; }
        .upload.over { background: var(--app-ground); border-color: var(--app); }
        .upload label { font-weight: 600; }
        .upload .hint { margin: 0; }
        .found-ok { color: var(--link); }
        .found-partial, .found-missing { color: var(--warn); font-weight: 600; }
        .adoption { display: flex; gap: .6rem; align-items: center; white-space: nowrap; }
        svg .crashed { fill: var(--fatal); }
        .frames { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }
        .frames figure { margin: 0; }
        .played .frames { grid-template-columns: minmax(0, 44rem); }
        .player { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0; }
        .player input { flex: 1 1 12rem; width: auto; padding: 0; }
        .screen { display: block; width: 100%; height: auto; max-height: 80vh; background: var(--ground); border: 1px solid var(--line); }
        .screen rect { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke; }
        .screen .control { fill: var(--app-ground); stroke: var(--app); }
        .screen .entry { fill: var(--raised); stroke: var(--soft); }
        .screen .image, .screen .words { fill: var(--raised); stroke: none; }
        .screen .masked { fill: var(--soft); stroke: none; }
        .screen .focused { stroke: var(--link); stroke-width: 3; }
        .screen .disabled { stroke-dasharray: 4; }
        .screen text { fill: var(--ink); font-family: system-ui, sans-serif; }
        .screen .tap { fill: none; stroke: var(--fatal); stroke-width: 4; }
        .copied { position: relative; }
        .copied pre { padding-right: 5rem; }
        .copied .copy { position: absolute; top: .4rem; right: .4rem; background: var(--ground); }
        [hidden] { display: none; }
        .login { display: grid; gap: .5rem; max-width: 26rem; }
        input, textarea { font: inherit; padding: .5rem; border: 1px solid var(--soft); border-radius: .3rem; background: var(--ground);
          color: var(--ink); width: 100%; }
        button { font: inherit; padding: .5rem 1rem; border: 1px solid var(--link); border-radius: .3rem; background: var(--link);
          color: var(--ground); cursor: pointer; }
        button.quiet { background: transparent; color: var(--ink); border-color: var(--line); padding: .2rem .7rem; }

        """
}
