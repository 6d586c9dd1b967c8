// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The style of the page: from left to right where there is room, and from top to bottom on a phone.
internal let pageStyle =
  #"""
  :root { color-scheme: light dark;
    --back: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1d2128); --text: light-dark(#1b1f24, #e6e8eb);
    --soft: light-dark(#5c6570, #98a2ad); --line: light-dark(#d5dae0, #353c46); --stuck: light-dark(#c0362c, #ff7b6e);
    --flow: light-dark(#1a7f4b, #58c78a); --fill: light-dark(#3b6fd4, #7aa5ff); --pale: light-dark(#fdf0ee, #33211f); }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
  header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline;
    padding: .75rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
  h1 { font-size: 1.15rem; margin: 0; }
  header p { margin: 0; color: var(--soft); }
  header p b { color: var(--stuck); }
  label { margin-left: auto; color: var(--soft); }
  input, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
    border-radius: .4rem; padding: .2rem .6rem; }
  input { width: 17rem; }
  button { cursor: pointer; }
  :focus-visible { outline: 2px solid var(--fill); outline-offset: 1px; }
  main { padding: 1rem 1.25rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
  article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; min-width: 0;
    scroll-margin-top: 4rem; }
  article.stuck { border-color: var(--stuck); }
  h2 { font-size: 1rem; margin: 0; display: flex; gap: .25rem .6rem; align-items: baseline; flex-wrap: wrap;
    overflow-wrap: anywhere; }
  h2 small, h3 small { color: var(--soft); font-weight: normal; }
  .badge { font-size: .78rem; font-weight: 600; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor;
    color: var(--soft); }
  .stuck .badge { color: var(--stuck); } .flows .badge { color: var(--flow); }
  .alike { font-size: .85rem; font-weight: 600; padding: .05rem .5rem; border-radius: 1rem; }
  .alike::after { content: " ▸"; color: var(--soft); } .alike[aria-expanded=true]::after { content: " ▾"; }
  .why { margin: .25rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
  .stuck .why { color: var(--stuck); }
  .why:empty { display: none; }
  .scroll { overflow-x: auto; margin: 0 -4px; padding: .6rem 4px .2rem; }
  .node { display: flex; align-items: center; width: max-content; }
  .ups { display: flex; flex-direction: column; gap: .5rem; align-items: flex-end; }
  .up { display: flex; align-items: center; }
  .wire { position: relative; display: flex; align-items: center; color: var(--soft); font-size: .8rem; min-width: 2.5rem; }
  .wire::before, .wire::after { content: ""; flex: 1; min-width: 1rem; border-top: 2px solid var(--line); }
  .wire span { position: relative; z-index: 1; padding: 0 .35rem; background: var(--card); white-space: nowrap; }
  .ups.many { border-right: 2px solid var(--line); }
  .box { border: 1px solid var(--line); border-radius: .5rem; padding: .3rem .6rem; background: var(--back); font-size: .84rem;
    min-width: 6.5rem; }
  .box[role=button] { cursor: pointer; }
  .box[role=button]:hover { border-color: var(--fill); }
  .box.culprit { border: 2px solid var(--stuck); background: var(--pale); }
  .box[aria-expanded=true] { box-shadow: 0 0 0 2px var(--fill); }
  .box b { display: block; font-size: .92rem; }
  .box i { display: block; font-style: normal; color: var(--soft); max-width: 18rem; overflow: hidden;
    text-overflow: ellipsis; white-space: nowrap; }
  .tank { height: .35rem; border-radius: .2rem; background: var(--line); margin-top: .2rem; overflow: hidden; }
  .tank div { height: 100%; background: var(--fill); }
  .culprit .tank div { background: var(--stuck); }
  .none { color: var(--soft); margin: 0; overflow-wrap: anywhere; }
  .none button { color: var(--text); margin-left: .5rem; }
  .marble { position: absolute; inset: 50% 0 auto 0; pointer-events: none; animation: run 1.1s linear backwards; }
  .marble::before { content: ""; position: absolute; left: -.25rem; top: -.25rem; width: .5rem; height: .5rem;
    border-radius: 50%; background: var(--flow); }
  .marble.second { animation-delay: .3s; } .marble.third { animation-delay: .6s; }
  @keyframes run { 0% { transform: none; opacity: 0; } 12%, 88% { opacity: 1; } 100% { transform: translateX(100%); opacity: 0; } }
  @keyframes fall { 0% { transform: none; opacity: 0; } 12%, 88% { opacity: 1; } 100% { transform: translateY(100%); opacity: 0; } }
  .members { list-style: none; margin: .5rem 0 0; padding: .5rem 0 0; border-top: 1px solid var(--line); max-height: 16rem;
    overflow-y: auto; font-size: .88rem; }
  .members li { display: flex; gap: .25rem .75rem; align-items: baseline; padding: .1rem 0; }
  .members button { font-size: .82rem; padding: 0 .4rem; min-width: 4.5rem; }
  .members span { flex: 1; min-width: 0; overflow-wrap: anywhere; color: var(--soft); }
  time { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
  .ring { border-top: 1px solid var(--line); margin-top: .6rem; padding-top: .6rem; font-size: .88rem; }
  .ring header { all: unset; display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: baseline; }
  .ring h3 { font-size: .95rem; margin: 0 auto 0 0; overflow-wrap: anywhere; }
  .signals { list-style: none; margin: .5rem 0 0; padding: 0; columns: 17rem; column-gap: 1.5rem; }
  .signals li { display: flex; gap: .5rem; align-items: baseline; break-inside: avoid; padding: .12rem 0; }
  .signals b { flex: 1; min-width: 0; font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .signals time { font-size: .8rem; min-width: 5rem; text-align: right; }
  .ball { flex: none; min-width: 1.35rem; height: 1.35rem; line-height: 1.25rem; border-radius: 1rem; text-align: center;
    font-size: .75rem; align-self: center; border: 1px solid var(--fill); color: var(--fill); }
  .ball:empty { min-width: .7rem; height: .7rem; margin: 0 .32rem; background: var(--fill); }
  .finished, .completed, .cancelled { border-color: var(--soft); color: var(--soft); }
  .failed { border-color: var(--stuck); color: var(--stuck); }
  .copied { margin-top: .6rem; }
  pre { margin: .3rem 0 0; padding: .6rem .75rem; background: var(--back); border: 1px solid var(--line); border-radius: .4rem;
    overflow-x: auto; font-size: .82rem; }
  .away main { opacity: .45; }
  .away #sum { color: var(--stuck); }
  @media (min-width: 40.01rem) {
    .scroll { -webkit-mask-image: linear-gradient(to right, var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000));
      mask-image: linear-gradient(to right, var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000)); }
    .scroll.before { --from: transparent; } .scroll.after { --to: transparent; }
  }
  @media (max-width: 40rem) {
    label { margin-left: 0; width: 100%; display: flex; gap: .5rem; align-items: baseline; } input { flex: 1; min-width: 0; }
    main, header { padding-inline: .75rem; } header { position: static; }
    .scroll { overflow: hidden auto; max-height: max(22rem, 55vh);
      -webkit-mask-image: linear-gradient(var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000));
      mask-image: linear-gradient(var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000)); }
    .scroll.above { --from: transparent; } .scroll.below { --to: transparent; }
    .node, .up { flex-direction: column; align-items: stretch; width: auto; }
    .ups { align-items: stretch; gap: .4rem; }
    .ups.many { border-right: 0; border-left: 2px solid var(--line); padding-left: .6rem; }
    .ups.many > .up > .wire:not(:has(span)) { display: none; }
    .wire { min-height: 1.1rem; min-width: 0; margin-left: 1rem; padding: .1rem 0 .1rem .6rem; border-left: 2px solid var(--line); }
    .wire::before, .wire::after { display: none; }
    .wire span { padding: 0; background: none; white-space: normal; }
    .box { min-width: 0; overflow-wrap: anywhere; }
    .box i { display: inline; white-space: normal; } .box i + i::before { content: " · "; }
    .marble { inset: 0 auto 0 -1px; animation-name: fall; }
  }
  @media (prefers-reduced-motion: reduce) { .marble { display: none; } }
  @media (forced-colors: active) { .marble::before, .tank div { background: CanvasText; } }

  """#
