// The page's scripts are kept deflated, as they were written, so that one small file holds them;
// here they are taken out and run. Developer tools show them as twobone.js.
(async () => {
  try {
    const packed = Uint8Array.from(atob(document.getElementById("packed").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.body.append(script);
  } catch (error) {
    document.body.textContent = `This page needs a newer browser, of 2023 or later (${error.message}).`;
  }
})();
