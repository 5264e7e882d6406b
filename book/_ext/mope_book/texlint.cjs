// Set each formula with MathJax in Node.
// stdin: {macros, items: [{tex, display, page}]}; argv[2]: folder of MathJax; stdout: the items that fail, with the error.
const folder = process.argv[2];
const { macros, items } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const print = console.log;
console.log = console.warn = () => {}; // MathJax reports on stdout, which carries the result

require(folder + "/node-main.js")
  .init({
    loader: { load: ["input/tex-full", "output/svg", "adaptors/liteDOM"], paths: { mathjax: folder } },
    // In a page an unknown macro is shown in red; here it is an error, as is everything that MathJax would paint as one.
    tex: {
      macros,
      packages: { "[-]": ["noundefined", "noerrors"] },
      formatError: (_, error) => {
        throw error;
      },
    },
  })
  .then((MathJax) => {
    const failed = [];
    for (const item of items) {
      try {
        MathJax.texReset();
        const made = MathJax.startup.adaptor.outerHTML(MathJax.tex2svg(item.tex, { display: item.display }));
        if (made.includes("merror")) throw new Error("MathJax made an error box");
      } catch (error) {
        failed.push({ ...item, error: error.message });
      }
    }
    print(JSON.stringify(failed));
  })
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
