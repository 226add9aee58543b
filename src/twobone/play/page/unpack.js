// Inflate and run the scripts of the page, which are stored deflated to keep the file small. Developer
// tools show them as twobone.js.
(async () => {
  try {
    const packed = Uint8Array.from(atob(document.getElementById("packed")?.textContent ?? ""), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.body.append(script);
  } catch (error) {
    document.body.textContent = `This page needs a browser from 2023 or later (${error instanceof Error ? error.message : error}).`;
  }
})();
