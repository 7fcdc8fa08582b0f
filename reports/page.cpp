// The style and the script of our pages.
#include "reports/page.h"

#include "reports/escape.h"
#include "reports/svg.h"

namespace fragproof {
namespace {

// Text contrast is at least 4.5:1 in both schemes. Verdicts differ by word and sign, colour only
// adds to it.
const char* const style = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--box:#f6f8fa;
--bad:#a8320a;--badbg:#fdf0ea;--good:#0b5d3b;--warn:#6b4e00;--info:#0a4f86;--link:#0a58a8;--hit:#fff3bf}
@media(prefers-color-scheme:dark){:root{--bg:#14171c;--fg:#e8eaed;--dim:#a8b1bb;--line:#3a424c;--box:#1c2128;
--bad:#ff9d66;--badbg:#2e1d14;--good:#6fd6a4;--warn:#f0cf6b;--info:#82c2f5;--link:#82c2f5;--hit:#4d3f00}}
@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--dim:#444;--line:#999;--box:#fff;
--bad:#a8320a;--badbg:#fff;--good:#0b5d3b;--warn:#6b4e00;--info:#0a4f86;--link:#000;--hit:#fff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:24px 20px 60px;background:var(--bg);color:var(--fg);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{font-size:22px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:17px;margin:28px 0 8px}
h3{font-size:14px;margin:18px 0 6px;color:var(--dim)}
code,pre,kbd,.mono,table{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code,pre,kbd{font-size:13px}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:var(--link)}
.dim{color:var(--dim)}
.box{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:10px 14px}
.result{border-left:6px solid var(--good);background:var(--box);padding:12px 16px;margin:12px 0 18px;border-radius:0 6px 6px 0}
.result.bad{border-color:var(--bad);background:var(--badbg)}.result.warn{border-color:var(--warn)}
.result strong{font-size:17px}
.filters{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin:14px 0;position:sticky;top:0;z-index:2;
background:var(--bg);padding:8px 0;border-bottom:1px solid var(--line)}
.filters[hidden]{display:none}
button,select,input{font:inherit;font-size:14px;color:var(--fg);background:var(--box);border:1px solid var(--line);
border-radius:6px;padding:4px 10px;min-height:32px}
button{cursor:pointer}button[aria-pressed=true]{border-color:var(--fg);box-shadow:inset 0 0 0 1px var(--fg);font-weight:600}
input[type=search]{flex:1 1 200px;min-width:160px}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.check{border:1px solid var(--line);border-radius:6px;margin:6px 0;background:var(--bg)}
.part{content-visibility:auto;contain-intrinsic-size:auto 2300px}
.check[hidden],.part[hidden]{display:none}
.check.surprise{border-left:6px solid var(--bad)}
.check>summary{display:grid;grid-template-columns:16px 128px minmax(0,1fr) 130px 150px 74px;gap:12px;padding:8px 12px;cursor:pointer;
align-items:baseline;list-style:none}
.check>summary::-webkit-details-marker{display:none}
.check>summary::before{content:"\25B8";color:var(--dim)}.check[open]>summary::before{content:"\25BE"}
.check>summary:hover{background:var(--box)}
.v{font-weight:700;font-size:13px;white-space:nowrap}
.v-good{color:var(--good)}.v-info{color:var(--info)}.v-warn{color:var(--warn)}.v-bad{color:var(--bad)}
.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13.5px;overflow-wrap:anywhere}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.small{font-size:13px;color:var(--dim);overflow-wrap:anywhere}
.in{padding:4px 16px 16px 40px;border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:110px minmax(0,1fr);gap:3px 14px;margin:12px 0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
dd.mono,dd code{font-size:13.5px}
.expected{color:var(--good);font-weight:600}.found{color:var(--bad);font-weight:600}
.src{background:var(--box);border:1px solid var(--line);border-radius:6px;overflow-x:auto;padding:6px 0;margin:6px 0}
.src pre{white-space:pre;padding:0 12px}.src .hit{background:var(--hit);display:block;min-width:max-content}
.picture{overflow-x:auto;margin:8px 0;padding-bottom:4px}
.cmd{display:flex;gap:10px;align-items:flex-start;background:var(--box);border:1px solid var(--line);border-radius:6px;padding:8px 10px}
.cmd code{flex:1;overflow-wrap:anywhere;padding-top:4px}
table{border-collapse:collapse;font-size:13px}th,td{border:1px solid var(--line);padding:2px 8px;text-align:left;vertical-align:top}
ol.proof{font-size:13px;padding-left:44px}
.none{padding:20px;text-align:center;color:var(--dim)}
footer{margin-top:36px;color:var(--dim);font-size:13px}
@media(max-width:760px){.check>summary{grid-template-columns:16px 110px minmax(0,1fr)}.check>summary .extra{display:none}
.in{padding-left:16px}dl{grid-template-columns:1fr}dd{margin-bottom:6px}}
@media print{.filters,button{display:none!important}.picture svg{min-width:0!important}.part{content-visibility:visible}.check{break-inside:avoid}body{max-width:none;padding:0}
.check>summary::before{content:""!important}}
)css";

const char* const script_text = R"js(
"use strict";
(() => {
  const $ = (s, root = document) => root.querySelector(s);
  const parts = [...document.querySelectorAll("section.part")].map(e => ({e, checks: [...e.children].map(c => ({
    e: c, v: c.dataset.v, k: c.dataset.k, x: !!c.dataset.x, off: false, t: (c.dataset.t + " " + c.dataset.k).toLowerCase()}))}));
  const total = parts.reduce((n, p) => n + p.checks.length, 0);
  const bar = $(".filters"), text = $("#q"), kind = $("#kind"), shown = $("#shown"), none = $(".none");
  const buttons = [...bar.querySelectorAll("button[data-v]")];
  bar.hidden = false;

  // The state lives in the hash: #v=REFUTED,UNKNOWN&kind=A.rows&q=text; a check is #c-ID.
  const state = () => {
    const hash = location.hash.slice(1);
    if (hash.startsWith("c-")) return new URLSearchParams();
    return new URLSearchParams(hash);
  };
  const apply = () => {
    const s = state();
    const verdicts = new Set((s.get("v") || "").split(",").filter(Boolean));
    const k = s.get("kind") || "", words = (s.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const p of parts) {
      let here = 0;
      for (const c of p.checks) {
        c.on = (!verdicts.size || verdicts.has(c.v) || (verdicts.has("UNEXPECTED") && c.x)) &&
          (!k || c.k === k) && words.every(w => c.t.includes(w));
        here += c.on;
      }
      // A part without a match is hidden as a whole: ten thousand checks are then a few hundred changes.
      for (const c of here ? p.checks : []) if (c.off === c.on) c.e.hidden = c.off = !c.on;
      p.e.hidden = !here;
      p.e.style.containIntrinsicSize = "auto " + here * 46 + "px";
      n += here;
    }
    for (const b of buttons) b.setAttribute("aria-pressed", verdicts.has(b.dataset.v));
    if (document.activeElement !== text) text.value = s.get("q") || "";
    kind.value = k;
    shown.textContent = n === total ? n + " shown" : n + " of " + total + " shown";
    none.hidden = n > 0;
    const target = location.hash.startsWith("#c-") && document.getElementById(decode(location.hash.slice(1)));
    if (target) { target.open = true; target.scrollIntoView(); }
  };
  const decode = t => { try { return decodeURIComponent(t); } catch { return t; } };
  const change = f => {
    const s = state();
    f(s);
    for (const key of ["v", "kind", "q"]) if (!s.get(key)) s.delete(key);
    history.replaceState(null, "", s.size || [...s].length ? "#" + s : location.pathname + location.search);
    apply();
  };
  for (const b of buttons) b.onclick = () => change(s => {
    const v = new Set((s.get("v") || "").split(",").filter(Boolean));
    v.has(b.dataset.v) ? v.delete(b.dataset.v) : v.add(b.dataset.v);
    s.set("v", [...v].join(","));
  });
  let wait = 0;
  text.oninput = () => { clearTimeout(wait); wait = setTimeout(() => change(s => s.set("q", text.value)), 60); };
  kind.onchange = () => change(s => s.set("kind", kind.value));
  $("#clear").onclick = () => { text.value = ""; change(s => { for (const key of ["v", "kind", "q"]) s.delete(key); }); };
  document.onkeydown = e => {
    if (e.key === "/" && document.activeElement !== text) { e.preventDefault(); text.focus(); }
  };
  addEventListener("hashchange", apply);

  document.addEventListener("click", async e => {
    const b = e.target.closest("button.copy");
    if (!b) return;
    const code = $("code", b.parentElement);
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {  // a page opened from a file may not use the clipboard directly
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    b.textContent = "Copied";
    setTimeout(() => b.textContent = "Copy", 1500);
  });
  addEventListener("beforeprint", () => {
    for (const p of parts) for (const c of p.checks) if (c.x) c.e.open = true;
  });
  apply();
})();
)js";

}  // namespace

const char* report_script() { return script_text; }

std::string page(std::string_view title, std::string_view body, std::string_view script) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  out += html_escape(title) + "</title>\n<style>" + style + picture_style() +
         "</style>\n</head>\n<body>\n";
  out += body;
  if (!script.empty()) out += "<script>" + std::string(script) + "</script>\n";
  return out + "</body>\n</html>\n";
}

}  // namespace fragproof
