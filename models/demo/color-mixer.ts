/** The path in the workspace of the page that the demo model, which plays a script, builds. */
export const COLOR_MIXER_PATH = '/color-mixer.html';

/** The code in the first version of the page that keeps it from working (`find`), and its correction (`replace`). */
export const COLOR_MIXER_MISTAKE = {
  find: "document.querySelector('#sample')",
  replace: "document.querySelector('#swatch')",
};

interface PageTexts {
  lang: string;
  title: string;
  channels: readonly [string, string, string];
}

/**
 * Returns the HTML of a page with three sliders that mix a color. Its script looks for an element that is not there, which the
 * demo then corrects with `COLOR_MIXER_MISTAKE`.
 */
export function colorMixer({ lang, title, channels }: PageTexts): string {
  const slider = (name: string, label: string, value: number) =>
    `      <label>${label} <input type="range" name="${name}" min="0" max="255" value="${value}"></label>`;
  const [red, green, blue] = channels;
  return `<!doctype html>
<html lang="${lang}">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px system-ui, sans-serif; background: #f4f4f6; color: #1b1b20; }
      main { width: min(22rem, 90vw); padding: 1.5rem; border-radius: 12px; background: #fff; box-shadow: 0 4px 16px rgb(0 0 0 / 0.1); }
      h1 { margin: 0 0 1rem; font-size: 1.25rem; }
      #swatch { display: grid; place-items: center; height: 9rem; border-radius: 8px; font: 600 1.25rem ui-monospace, monospace; }
      label { display: grid; grid-template-columns: 4rem 1fr; gap: 0.75rem; align-items: center; margin-top: 1rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <output id="swatch"></output>
${slider('red', red, 39)}
${slider('green', green, 134)}
${slider('blue', blue, 197)}
    </main>
    <script>
      const swatch = ${COLOR_MIXER_MISTAKE.find};
      const sliders = [...document.querySelectorAll('input')];

      function mix() {
        const values = sliders.map((slider) => Number(slider.value));
        const [red, green, blue] = values;
        swatch.textContent = '#' + values.map((value) => value.toString(16).padStart(2, '0')).join('');
        swatch.style.background = swatch.textContent;
        swatch.style.color = 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? '#000' : '#fff';
      }

      for (const slider of sliders) slider.addEventListener('input', mix);
      mix();
    </script>
  </body>
</html>
`;
}
