// More than 400 lines: one pass over a page; each rule is short, and all share the place of an element.
import MagicString from 'magic-string';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { PreviewProblem, SourcePlace } from '#lib/tools/capabilities/preview.ts';
import { dirname } from '#lib/vfs/paths.ts';
import { globalName, type ScriptOrigin, scriptToken, styleToken } from '../built-page.ts';
import { globalAt } from '../packages.ts';
import { isWebAddress, needsNoFile, noFileFor, pathsOf } from './addresses.ts';
import { type InlineSource, noNetwork, notLoaded, reactFor, WITH_REACT } from './workspace-plugin.ts';

type Element = DefaultTreeAdapterMap['element'];
type ParentNode = DefaultTreeAdapterMap['parentNode'];

/** The name of the bundle of all modules of a page, and of the style sheet that they import. */
export const MODULES = 'modules';

/** A script that is not a module: a file, or inline in the page. */
type PlainScript = { path: string } | { text: string; origin: Extract<ScriptOrigin, { type: 'file' }> };

/**
 * The parts of an HTML page, such as its scripts and styles. The keys of `scripts` and `styles` are the names in the tokens
 * that stand for them in the HTML (see `scriptToken` and `styleToken`).
 */
export interface HtmlPage {
  /** Paths of modules, or keys of `inline` for inline ones, in the order in which they run. */
  modules: readonly string[];
  /** Inline modules and style sheets, by keys such as `/index.html#0`. */
  inline: ReadonlyMap<string, InlineSource>;
  /** Scripts that are not modules, by name: their file, or if they are inline, their text and where it starts. */
  scripts: ReadonlyMap<string, PlainScript>;
  /** Style sheets by name: the path of each, or its key in `inline` if it is inline. */
  styles: ReadonlyMap<string, string>;
  /** Paths of the files that are referenced in attributes. */
  assets: ReadonlySet<string>;
  /** Packages in `GLOBALS` that the page loads as scripts from other servers; the studio's own scripts replace these. */
  globals: ReadonlySet<string>;
  /** Files in the page's import map: paths by import name. */
  aliases: ReadonlyMap<string, string>;
  warnings: readonly PreviewProblem[];
  /**
   * Returns the HTML with tokens for scripts and styles, and with the data URLs of assets. `dataUrl`: returns that of an
   * asset's path. `hasStyle`: whether the modules have a style. `importMap`: the targets of the modules' imports by name.
   */
  render(parts: { dataUrl(path: string): string; hasStyle: boolean; importMap: object }): string;
}

interface HtmlFiles {
  find(paths: readonly string[]): Promise<string | undefined>;
}

/** Attributes that reference images or media. */
const ASSET_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  audio: ['src'],
  video: ['src', 'poster'],
  track: ['src'],
  input: ['src'],
  image: ['href', 'xlink:href'],
  embed: ['src'],
  object: ['data'],
};

/** Matches the `rel` of links that only provide prefetch hints or metadata for the browser. They are removed. */
const IDLE_LINKS =
  /\b(preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest|icon|apple-touch-icon|canonical)\b/i;

const CLASSIC_TYPES = new Set(['', 'text/javascript', 'application/javascript', 'text/ecmascript']);
/** Types of scripts that pages have translated by Babel; here, the bundler does it. */
const BABEL_TYPES = new Set(['text/babel', 'text/jsx']);
const TRANSLATED_TYPES = new Set(['module', ...BABEL_TYPES, 'text/typescript', 'text/tsx']);

/**
 * Matches addresses of React and Babel on other servers. Pages that use Babel load both from there; the studio provides them
 * anyway.
 */
const GIVEN_ANYWAY = /^(https?:)?\/\/.*\b(react|react-dom|babel|babel-standalone|@babel\/standalone)[@/.].*$/i;

/**
 * Finds the parts of an HTML page, such as its scripts and styles, and the files that they refer to. `path`: the path of the
 * page, which its addresses are relative to. `files`: looks up which paths are files. Whatever a preview cannot load is left
 * out of the page, with a warning.
 */
export async function readHtmlPage(path: string, html: string, files: HtmlFiles): Promise<HtmlPage> {
  const reader = new HtmlReader(path, html, files);
  for (const element of elementsOf(parse(html, { sourceCodeLocationInfo: true }))) await reader.read(element);
  reader.finish();
  return reader;
}

class HtmlReader implements HtmlPage {
  readonly modules: string[] = [];
  readonly inline = new Map<string, InlineSource>();
  readonly scripts = new Map<string, PlainScript>();
  readonly styles = new Map<string, string>();
  readonly assets = new Set<string>();
  readonly globals = new Set<string>();
  readonly aliases = new Map<string, string>();
  readonly warnings: PreviewProblem[] = [];
  /**
   * The inline scripts for Babel so far, merged into one module, so that they share their declarations; undefined if there
   * are none. `line`: the line of the page on which the last one ends.
   */
  #babel: { name: string; text: string; line: number } | undefined;
  /** Scripts from other servers; how to handle them depends on the page's other scripts. */
  readonly #elsewhere: { element: Element; address: string }[] = [];
  readonly #path: string;
  readonly #files: HtmlFiles;
  readonly #text: MagicString;
  /** The offset at which the bundle is inserted: that of the first module. */
  #bundleAt: number | undefined;
  #hasBabel = false;
  /** Attributes whose value is only known when the assets have been read. */
  readonly #assetValues: { start: number; end: number; value: (dataUrl: (path: string) => string) => string }[] = [];

  constructor(path: string, html: string, files: HtmlFiles) {
    this.#path = path;
    this.#files = files;
    this.#text = new MagicString(html);
  }

  render({ dataUrl, hasStyle, importMap }: Parameters<HtmlPage['render']>[0]): string {
    for (const { start, end, value } of this.#assetValues) this.#text.overwrite(start, end, value(dataUrl));
    if (this.#bundleAt !== undefined) {
      const style = hasStyle ? styleElement(MODULES) : '';
      const map = JSON.stringify(importMap).replaceAll('<', '\\u003c');
      this.#text.appendLeft(
        this.#bundleAt,
        `${style}<script type="importmap">${map}</script><script type="module" src="${scriptToken(MODULES)}"></script>`,
      );
    }
    return this.#text.toString();
  }

  async read(element: Element): Promise<void> {
    switch (element.tagName) {
      case 'script':
        return this.#readScript(element);
      case 'link':
        return this.#readLink(element);
      case 'style':
        return this.#readStyle(element);
      case 'base':
        return this.#remove(element);
      case 'meta':
        // The page must not set a policy or redirect.
        if (attribute(element, 'http-equiv') !== undefined) this.#remove(element);
        return;
      case 'iframe':
        return this.#readFrame(element);
      default:
        for (const name of ASSET_ATTRIBUTES[element.tagName] ?? []) await this.#readAsset(element, name);
        return this.#readStyleAttribute(element);
    }
  }

  async #readScript(element: Element): Promise<void> {
    const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
    const src = attribute(element, 'src');
    if (type === 'importmap') return this.#readImportMap(element);
    const isModule = TRANSLATED_TYPES.has(type);
    if (!isModule && !CLASSIC_TYPES.has(type)) return;
    if (src === undefined) return isModule ? this.#takeInlineModule(element) : this.#takeInlineScript(element);
    if (isWebAddress(src)) {
      this.#elsewhere.push({ element, address: src });
      return;
    }
    const path = await this.#find(element, src, 'error');
    if (path === undefined) return this.#remove(element);
    if (BABEL_TYPES.has(type)) {
      this.#hasBabel = true;
      return this.#takeModule(element, path + WITH_REACT);
    }
    if (isModule || /\.([cm]?ts|[jt]sx)$/.test(path)) return this.#takeModule(element, path);
    const name = `script-${this.scripts.size}`;
    this.scripts.set(name, { path });
    this.#overwriteAttribute(element, 'src', scriptToken(name));
    this.#removeAttributes(element, 'integrity', 'crossorigin', 'nonce');
  }

  #takeModule(element: Element, module: string): void {
    this.modules.push(module);
    this.#bundleAt ??= element.sourceCodeLocation?.startOffset;
    this.#remove(element);
  }

  #takeInlineModule(element: Element): void {
    const content = contentOf(element);
    if (content === undefined) {
      this.#remove(element);
      return;
    }
    const isBabel = BABEL_TYPES.has((attribute(element, 'type') ?? '').trim().toLowerCase());
    if (isBabel) this.#takeBabel(element, content);
    else this.#takeModule(element, this.#addInline(content, 'tsx'));
  }

  #takeBabel(element: Element, content: Content): void {
    this.#hasBabel = true;
    const before = this.#babel;
    if (before === undefined) {
      const name = this.#addInline(content, 'tsx', reactFor(content.text));
      this.#babel = { name, text: this.inline.get(name)?.text ?? '', line: endLine(content) };
      this.#takeModule(element, name);
      return;
    }
    const padding = '\n'.repeat(Math.max(0, content.line - before.line)) + ' '.repeat(content.column - 1);
    const text = `${before.text}${content.line === before.line ? ';' : ''}${padding}${content.text}`;
    this.#babel = { name: before.name, text, line: endLine(content) };
    this.inline.set(before.name, { path: this.#path, text, loader: 'tsx' });
    this.#remove(element);
  }

  /**
   * Removes an import map, and adds its names for files to `aliases`. Names for other addresses are ignored, and remain plain
   * names.
   */
  #readImportMap(element: Element): void {
    this.#remove(element);
    try {
      const { imports } = JSON.parse(contentOf(element)?.text ?? '{}') as { imports?: Record<string, unknown> };
      for (const [name, address] of Object.entries(imports ?? {})) {
        const [path] =
          typeof address === 'string' && !needsNoFile(address) ? pathsOf(address, dirname(this.#path)) : [];
        if (path !== undefined) this.aliases.set(name, path);
      }
    } catch {
      this.#warn(element, 'The import map is not JSON.');
    }
  }

  /** Decides about the scripts from other servers. Must be called when all elements have been read. */
  finish(): void {
    for (const { element, address } of this.#elsewhere) {
      const name = globalAt(address);
      // Code for Babel gets what these scripts would provide.
      if (this.#hasBabel && GIVEN_ANYWAY.test(address)) this.#remove(element);
      else if (name !== undefined) this.#takeGlobal(element, name);
      else {
        this.#warn(element, noNetwork(address));
        this.#remove(element);
      }
    }
  }

  #takeGlobal(element: Element, name: string): void {
    this.globals.add(name);
    this.#overwriteAttribute(element, 'src', scriptToken(globalName(name)));
    this.#removeAttributes(element, 'integrity', 'crossorigin', 'nonce');
  }

  /** Leaves an inline script in place; its errors refer to the page's own lines. */
  #takeInlineScript(element: Element): void {
    const content = contentOf(element);
    if (content === undefined) return;
    const name = `script-${this.scripts.size}`;
    this.scripts.set(name, {
      text: content.text,
      origin: { type: 'file', path: this.#path, line: content.line, column: content.column },
    });
    this.#text.appendLeft(content.end, `\n//# sourceURL=${scriptToken(name)}`);
  }

  async #readLink(element: Element): Promise<void> {
    const rel = attribute(element, 'rel') ?? '';
    const href = attribute(element, 'href');
    if (!/\bstylesheet\b/i.test(rel)) {
      if (IDLE_LINKS.test(rel)) this.#remove(element);
      return;
    }
    const path = href === undefined ? undefined : await this.#find(element, href, 'error');
    const { startOffset = 0, endOffset = 0 } = element.sourceCodeLocation ?? {};
    if (path === undefined) return this.#remove(element);
    this.#text.overwrite(startOffset, endOffset, styleElement(this.#addStyle(path), element));
  }

  #readStyle(element: Element): void {
    const content = contentOf(element);
    // A style that references no files can stay unchanged.
    if (content === undefined || !/url\(|@import/i.test(content.text)) return;
    const name = this.#addStyle(this.#addInline(content, 'css'));
    this.#text.overwrite(content.start, content.end, styleToken(name));
  }

  /**
   * Removes the address of a frame in the page, with a warning, so that it stays empty; otherwise it would show the browser's
   * error page.
   */
  #readFrame(element: Element): void {
    const src = attribute(element, 'src');
    if (src === undefined || /^about:/i.test(src)) return;
    this.#warn(
      element,
      isWebAddress(src)
        ? notLoaded(src)
        : `A preview cannot show a page inside another page: the frame for "${src}" stays empty.`,
    );
    this.#removeAttributes(element, 'src');
  }

  async #readAsset(element: Element, name: string): Promise<void> {
    const value = attribute(element, name);
    if (value === undefined) return;
    const isSet = name === 'srcset';
    const addresses = isSet ? value.split(',').map((part) => part.trim().split(/\s+/)[0] ?? '') : [value.trim()];
    const paths = new Map<string, string>();
    for (const address of addresses) {
      const path = await this.#find(element, address);
      if (path !== undefined) paths.set(address, path);
    }
    if (paths.size === 0) return;
    for (const path of paths.values()) this.assets.add(path);
    this.#onAssets(element, name, (dataUrl) => {
      let text = value;
      for (const [address, path] of paths) text = text.replace(address, () => dataUrl(path));
      return text;
    });
  }

  async #readStyleAttribute(element: Element): Promise<void> {
    const value = attribute(element, 'style');
    if (value === undefined || !/url\(/i.test(value)) return;
    const paths = new Map<string, string>();
    for (const [, , address = ''] of value.matchAll(CSS_URL)) {
      const path = await this.#find(element, address);
      if (path !== undefined) paths.set(address, path);
    }
    for (const path of paths.values()) this.assets.add(path);
    this.#onAssets(element, 'style', (dataUrl) =>
      value.replace(CSS_URL, (whole, _quote, address) => {
        const path = paths.get(address);
        return path === undefined ? whole : `url('${dataUrl(path)}')`;
      }),
    );
  }

  /**
   * Returns the path of the file that an address refers to. Undefined for a fragment, or an address such as a `data:` URL.
   * Also undefined, with a problem reported, if the address is on another server, or there is no such file. `severity`: of a
   * missing file; most pages can run without an image.
   */
  async #find(
    element: Element,
    address: string,
    severity: PreviewProblem['severity'] = 'warning',
  ): Promise<string | undefined> {
    if (needsNoFile(address) && !isWebAddress(address)) return undefined;
    if (isWebAddress(address)) {
      this.#warn(element, notLoaded(address));
      return undefined;
    }
    const paths = pathsOf(address, dirname(this.#path));
    const found = await this.#files.find(paths);
    if (found === undefined) this.#warn(element, noFileFor(address, paths), severity);
    return found;
  }

  #addStyle(source: string): string {
    const name = `style-${this.styles.size}`;
    this.styles.set(name, source);
    return name;
  }

  #addInline({ text, line, column }: Content, loader: 'tsx' | 'css', before = ''): string {
    const name = `${this.#path}#${this.inline.size}`;
    // Padding keeps the lines and columns of the page.
    const padding = '\n'.repeat(line - 1) + ' '.repeat(column - 1);
    this.inline.set(name, { path: this.#path, text: before + padding + text, loader });
    return name;
  }

  #warn(element: Element, message: string, severity: PreviewProblem['severity'] = 'warning'): void {
    const { startLine = 1, startCol = 1 } = element.sourceCodeLocation ?? {};
    const place: SourcePlace = { path: this.#path, line: startLine, column: startCol };
    this.warnings.push({ severity, message, place });
  }

  #remove(element: Element): void {
    const { startOffset = 0, endOffset = 0 } = element.sourceCodeLocation ?? {};
    if (endOffset > startOffset) this.#text.remove(startOffset, endOffset);
  }

  #onAssets(element: Element, name: string, value: (dataUrl: (path: string) => string) => string): void {
    const place = element.sourceCodeLocation?.attrs?.[name];
    if (place === undefined) return;
    const written = (dataUrl: (path: string) => string) => `${name}="${escaped(value(dataUrl))}"`;
    this.#assetValues.push({ start: place.startOffset, end: place.endOffset, value: written });
  }

  #overwriteAttribute(element: Element, name: string, value: string): void {
    const place = element.sourceCodeLocation?.attrs?.[name];
    if (place !== undefined) this.#text.overwrite(place.startOffset, place.endOffset, `${name}="${escaped(value)}"`);
  }

  #removeAttributes(element: Element, ...names: string[]): void {
    for (const name of names) {
      const place = element.sourceCodeLocation?.attrs?.[name];
      if (place !== undefined) this.#text.remove(place.startOffset, place.endOffset);
    }
  }
}

const CSS_URL = /url\(\s*(["']?)([^"')]+)\1\s*\)/gi;

/** The text between an element's tags, and its position. Lines and columns count from 1. */
interface Content {
  text: string;
  start: number;
  end: number;
  line: number;
  column: number;
}

function contentOf(element: Element): Content | undefined {
  const [child] = element.childNodes;
  if (child === undefined || !('value' in child) || child.sourceCodeLocation == null) return undefined;
  const { startOffset, endOffset, startLine, startCol } = child.sourceCodeLocation;
  return { text: child.value, start: startOffset, end: endOffset, line: startLine, column: startCol };
}

function* elementsOf(parent: ParentNode): Generator<Element> {
  for (const child of parent.childNodes) {
    if (!('tagName' in child)) continue;
    yield child;
    yield* elementsOf('content' in child ? child.content : child);
  }
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((given) => (given.prefix ? `${given.prefix}:${given.name}` : given.name) === name)?.value;

/**
 * Returns the HTML of a style element with a token for its text. If it replaces a link, it has the attributes of the link
 * that code may use to find it.
 */
function styleElement(name: string, link?: Element): string {
  const kept = ['id', 'class', 'media', 'title'].flatMap((key) => {
    const value = link === undefined ? undefined : attribute(link, key);
    return value === undefined ? [] : [` ${key}="${escaped(value)}"`];
  });
  return `<style data-studio-style="${name}"${kept.join('')}>${styleToken(name)}</style>`;
}

/** The number of the last line of the content, in the page. */
const endLine = ({ text, line }: Content): number => line + text.split('\n').length - 1;

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
