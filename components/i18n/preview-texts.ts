import type { Locale } from './i18n.tsx';
import { useMessages } from './i18n.tsx';

const en = {
  opening: 'Opening the preview…',
  reload: 'Load the page anew',
  page: 'Page',
  noPage: 'No page',
  width: 'Width',
  widths: { pane: 'Full width', phone: 'Phone', tablet: 'Tablet', laptop: 'Laptop' },
  pixels: (width: number) => `${width} pixels`,
  console: 'Console of the page',
  prompt: 'Run JavaScript in the page',
  nothingPrinted: 'The page has printed nothing yet.',
  loaded: 'The page was loaded.',
  nothingToShow:
    'There is nothing to show yet. The preview shows an index.html, another .html page, a .md or an .svg file of the workspace; what bundlers make in dist, build and coverage is left out.',
  window: 'Open in a window of its own',
  windowFailed: 'This page cannot be shown',
  states: {
    idle: 'Not begun',
    building: 'Building…',
    loading: 'Loading…',
    failed: 'Not built',
    ended: 'Ended',
  },
  built: (ms: number) => `${ms} ms`,
  builtIn: 'How long the last build took',
  problems: 'Problems of the page',
  notBuilt: 'The page could not be built',
  errors: (n: number) => `${n} ${n === 1 ? 'error' : 'errors'}`,
  warnings: (n: number) => `${n} ${n === 1 ? 'warning' : 'warnings'}`,
  mend: 'Ask the model to mend it',
  mendMessage: (problems: string) => `The page in the preview has these errors. Please mend them.\n\n${problems}`,
  round: (round: number, of: number) => `The model is mending the page: attempt ${round} of ${of}`,
  stop: 'Stop',
  stuck: 'The page does not answer. It may be in an endless loop.',
  end: 'End it',
  sharesThread:
    'This browser gives the page no thread of its own: code in it that does not end would hold the studio up.',
};

export type PreviewTexts = typeof en;

const zhCn: PreviewTexts = {
  opening: '正在打开预览…',
  reload: '重新加载页面',
  page: '页面',
  noPage: '没有页面',
  width: '宽度',
  widths: { pane: '整个宽度', phone: '手机', tablet: '平板', laptop: '笔记本' },
  pixels: (width) => `${width} 像素`,
  console: '页面的控制台',
  prompt: '在页面中运行 JavaScript',
  nothingPrinted: '页面还没有输出任何内容。',
  loaded: '页面已加载。',
  nothingToShow:
    '还没有可以显示的内容。预览会显示工作区中的 index.html、其他 .html 页面、.md 或 .svg 文件；dist、build 和 coverage 中的构建产物除外。',
  window: '在单独的窗口中打开',
  windowFailed: '无法显示此页面',
  states: {
    idle: '未开始',
    building: '正在构建…',
    loading: '正在加载…',
    failed: '未能构建',
    ended: '已结束',
  },
  built: (ms) => `${ms} 毫秒`,
  builtIn: '上次构建用时',
  problems: '页面的问题',
  notBuilt: '页面未能构建',
  errors: (n) => `${n} 个错误`,
  warnings: (n) => `${n} 个警告`,
  mend: '请模型修复',
  mendMessage: (problems) => `预览中的页面有以下错误，请修复。\n\n${problems}`,
  round: (round, of) => `模型正在修复页面：第 ${round} 次，最多 ${of} 次`,
  stop: '停止',
  stuck: '页面没有响应，可能陷入了死循环。',
  end: '结束页面',
  sharesThread: '此浏览器没有给页面单独的线程：页面中不会结束的代码会卡住工作室。',
};

/** The texts of the preview, which come with its views and not with the page. */
export const previewTexts: Readonly<Record<Locale, PreviewTexts>> = { en, 'zh-CN': zhCn };

/** Those in the person's language. */
export const usePreviewTexts = (): PreviewTexts => previewTexts[useMessages().locale as Locale];
