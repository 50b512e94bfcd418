/**
 * The page's style sheet. The six colours of lines can be told apart by people who cannot tell red
 * from green (Okabe and Ito).
 */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--card:#fff;--ink:#1d2125;--soft:#5d666f;--rule:#e3e0d8;--bar:#3b76a8;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0569a;--c4:#c48a00;--c5:#4aa3d6}
@media (prefers-color-scheme:dark){:root{--paper:#15181b;--card:#1d2126;--ink:#eceff1;--soft:#9aa5ae;--rule:#333a41;--bar:#5b9bd0;
--c0:#5aa9e0;--c1:#f08548;--c2:#3cc79b;--c3:#d98cc4;--c4:#e8b23f;--c5:#8fd0f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1180px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:26px;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:18px;margin:36px 0 8px}
header p{margin:0 0 4px;color:var(--soft);max-width:80ch}
code{font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,monospace}
.note,.digests{color:var(--soft);font-size:13px}
.tiles{list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:12px;margin:20px 0 24px;padding:0}
.tiles li{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 14px;display:flex;flex-direction:column}
.tiles .name{font-size:12px;color:var(--soft)}
.tiles strong{font-size:25px;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.25}
.tiles .note{font-size:12px;min-height:18px}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:16px}
figure{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px}
figcaption{font-weight:600;margin-bottom:8px}
svg{display:block;width:100%;height:auto;font:12px system-ui,sans-serif}
.grid{stroke:var(--rule);stroke-width:1}
.tick,.axis,svg .note{fill:var(--soft)}
.label,.value{fill:var(--ink)}
.value{font-weight:600;font-variant-numeric:tabular-nums}
.bar{fill:var(--bar)}
.whisker{stroke:var(--ink);stroke-width:1.5;fill:none;opacity:.75}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0 0;padding:0;font-size:13px;color:var(--soft)}
.legend .key{display:inline-block;width:16px;height:0;border-top:3px solid var(--key);margin-right:6px;vertical-align:middle}
.legend .dashed{border-top-style:dashed}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:10px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
th,td{padding:7px 12px;text-align:right;border-top:1px solid var(--rule);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-weight:500;font-size:13px;white-space:nowrap}
th[scope=row]{text-align:left;font-weight:500;white-space:nowrap}
td.text{text-align:left}
tbody tr:last-child th,tbody tr:last-child td{font-weight:inherit}
`;
