import MagicString from 'magic-string';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { PreviewProblem, SourcePlace } from '#lib/tools/preview.ts';
import { dirname } from '#lib/vfs/paths.ts';
import { globalName, type ScriptOrigin, scriptToken, styleToken } from '../built-page.ts';
import { globalAt } from '../packages.ts';
import { isRemote, isSelfContained, pathsOf } from './addresses.ts';
import { type InlineSource, noNetwork, notLoaded, reactFor, WITH_REACT } from './workspace-plugin.ts';

type Element = DefaultTreeAdapterMap['element'];
type ParentNode = DefaultTreeAdapterMap['parentNode'];

/** The bundle of all modules of a page, and the style of what these import. */
export const MODULES = 'modules';

/** A script that is no module: of a file, or with its text in the page. */
export type PlainScript = { path: string } | { text: string; origin: Extract<ScriptOrigin, { type: 'file' }> };

/** What a page is made of, found in its HTML. Names are those of tokens in it. */
export interface HtmlPage {
  /** Paths of modules, or names of `inline`, in the order in which they run. */
  modules: readonly string[];
  inline: ReadonlyMap<string, InlineSource>;
  /** Scripts that are no modules, by name: their file, and where their text begins if that stands in the page. */
  scripts: ReadonlyMap<string, PlainScript>;
  /** Paths of style sheets, or names of `inline`, by name. */
  styles: ReadonlyMap<string, string>;
  /** Files that attributes name. */
  assets: ReadonlySet<string>;
  /** Packages that scripts of other servers would make globals of. */
  globals: ReadonlySet<string>;
  /** What its import map says of files. */
  aliases: ReadonlyMap<string, string>;
  warnings: readonly PreviewProblem[];
  /** The HTML. `hasStyle`: whether the modules have a style; `importMap`: what their imports by name lead to. */
  render(parts: { dataUrl(path: string): string; hasStyle: boolean; importMap: object }): string;
}

interface HtmlFiles {
  find(paths: readonly string[]): Promise<string | undefined>;
}

/** Attributes that name something which is shown or played. */
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

/** Links that only say what could be fetched ahead, or what the browser shows around a page. */
const IDLE_LINKS =
  /\b(preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest|icon|apple-touch-icon|canonical)\b/i;

const CLASSIC_TYPES = new Set(['', 'text/javascript', 'application/javascript', 'text/ecmascript']);
/** Types that pages give to scripts which something is to translate; the bundler does. */
const BABEL_TYPES = new Set(['text/babel', 'text/jsx']);
const TRANSLATED_TYPES = new Set(['module', ...BABEL_TYPES, 'text/typescript', 'text/tsx']);

/** Pages that have Babel translate them load it, and React, from elsewhere; both are given here. */
const GIVEN_ANYWAY = /^(https?:)?\/\/.*\b(react|react-dom|babel|babel-standalone|@babel\/standalone)[@/.].*$/i;

/** Finds what a page is made of. `path`: where the page is, from which its addresses count. */
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
  /** Scripts for Babel that stand in the page are one: what one of them declares, the others have. */
  #babel: { name: string; text: string; line: number } | undefined;
  /** Scripts of other servers: what becomes of them depends on the others. */
  readonly #elsewhere: { element: Element; address: string }[] = [];
  readonly #path: string;
  readonly #files: HtmlFiles;
  readonly #text: MagicString;
  /** Where the bundle goes: in place of the first module. */
  #bundleAt: number | undefined;
  #hasBabel = false;
  /** Attributes whose value is known only when the assets are read. */
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
        // Neither another policy nor another page.
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
    if (isRemote(src)) {
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

  /** Names that stand for files; what leads elsewhere stays a name. */
  #readImportMap(element: Element): void {
    this.#remove(element);
    try {
      const { imports } = JSON.parse(contentOf(element)?.text ?? '{}') as { imports?: Record<string, unknown> };
      for (const [name, address] of Object.entries(imports ?? {})) {
        const [path] =
          typeof address === 'string' && !isSelfContained(address) ? pathsOf(address, dirname(this.#path)) : [];
        if (path !== undefined) this.aliases.set(name, path);
      }
    } catch {
      this.#warn(element, 'The import map is not JSON.');
    }
  }

  /** To be called when everything was read. */
  finish(): void {
    for (const { element, address } of this.#elsewhere) {
      const name = globalAt(address);
      // Babel's code is given what they are for.
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

  /** Stays where it is; its errors name the page's own lines. */
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
    // What names no file can stay as it is.
    if (content === undefined || !/url\(|@import/i.test(content.text)) return;
    const name = this.#addStyle(this.#addInline(content, 'css'));
    this.#text.overwrite(content.start, content.end, styleToken(name));
  }

  /** Nothing is loaded into frames of a page: it would be the browser's note of that. */
  #readFrame(element: Element): void {
    const src = attribute(element, 'src');
    if (src === undefined || /^about:/i.test(src)) return;
    this.#warn(
      element,
      isRemote(src) ? notLoaded(src) : `A preview shows no pages within a page: "${src}" stays empty.`,
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
      // A data URL's comma would end its part of a set; within one it is written otherwise.
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

  /** The file that an address means. Where there is none, a problem says so; most pages do without a picture. */
  async #find(
    element: Element,
    address: string,
    severity: PreviewProblem['severity'] = 'warning',
  ): Promise<string | undefined> {
    if (isSelfContained(address) && !isRemote(address)) return undefined;
    if (isRemote(address)) {
      this.#warn(element, notLoaded(address));
      return undefined;
    }
    const paths = pathsOf(address, dirname(this.#path));
    const found = await this.#files.find(paths);
    if (found === undefined) {
      const looked = paths.join(' and ') || 'nothing, as it leads out of the workspace';
      this.#warn(element, `There is no file for "${address}". Looked for ${looked}.`, severity);
    }
    return found;
  }

  #addStyle(source: string): string {
    const name = `style-${this.styles.size}`;
    this.styles.set(name, source);
    return name;
  }

  #addInline({ text, line, column }: Content, loader: 'tsx' | 'css', before = ''): string {
    const name = `${this.#path}#${this.inline.size}`;
    // Its lines and columns are those of the page.
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

/** What stands between an element's tags, and where. Lines and columns count from 1. */
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

/** A style in place of the link to it, with what code may look for it by. */
function styleElement(name: string, link?: Element): string {
  const kept = ['id', 'class', 'media', 'title'].flatMap((key) => {
    const value = link === undefined ? undefined : attribute(link, key);
    return value === undefined ? [] : [` ${key}="${escaped(value)}"`];
  });
  return `<style data-studio-style="${name}"${kept.join('')}>${styleToken(name)}</style>`;
}

/** The line in which a content ends. */
const endLine = ({ text, line }: Content): number => line + text.split('\n').length - 1;

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
