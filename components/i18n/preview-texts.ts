import type { Locale } from './i18n.tsx';
import { useMessages } from './i18n.tsx';

const en = {
  opening: 'Opening preview…',
  reload: 'Reload',
  page: 'Page',
  noPage: 'No page',
  width: 'Width',
  widths: { pane: 'Full width', phone: 'Phone', tablet: 'Tablet', laptop: 'Laptop' },
  pixels: (width: number) => `${width} pixels`,
  console: 'Page console',
  prompt: 'Run JavaScript in the page',
  nothingPrinted: 'No console output yet.',
  loaded: 'Page loaded.',
  nothingToShow:
    'Nothing to preview yet. The preview shows index.html or any other .html, .md, or .svg file in the workspace. The dist, build, and coverage folders are ignored.',
  window: 'Open in a new window',
  windowFailed: 'This page can’t be shown',
  states: {
    idle: 'Not started',
    building: 'Building…',
    loading: 'Loading…',
    failed: 'Failed',
    ended: 'Stopped',
  },
  built: (ms: number) => `${ms} ms`,
  builtIn: 'Last build time',
  problems: 'Page problems',
  notBuilt: 'The page couldn’t be built',
  errors: (n: number) => `${n} ${n === 1 ? 'error' : 'errors'}`,
  warnings: (n: number) => `${n} ${n === 1 ? 'warning' : 'warnings'}`,
  fix: 'Ask the model to fix it',
  fixMessage: (problems: string) => `The page in the preview has these errors. Please fix them.\n\n${problems}`,
  round: (round: number, of: number) => `The model is fixing the page: attempt ${round} of ${of}`,
  stop: 'Stop',
  stuck: 'The page isn’t responding. It may be stuck in an infinite loop.',
  end: 'Stop page',
  sharesThread:
    'This browser can’t run the page in its own process, so code that never finishes would freeze the studio.',
};

export type PreviewTexts = typeof en;

const zhCn: PreviewTexts = {
  opening: '正在打开预览…',
  reload: '重新加载',
  page: '页面',
  noPage: '没有页面',
  width: '宽度',
  widths: { pane: '全宽', phone: '手机', tablet: '平板', laptop: '笔记本' },
  pixels: (width) => `${width} 像素`,
  console: '页面控制台',
  prompt: '在页面中运行 JavaScript',
  nothingPrinted: '控制台还没有输出。',
  loaded: '页面已加载。',
  nothingToShow:
    '还没有可以预览的内容。预览会显示工作区中的 index.html 或其他 .html、.md、.svg 文件，忽略 dist、build 和 coverage 文件夹。',
  window: '在新窗口中打开',
  windowFailed: '无法显示此页面',
  states: {
    idle: '未开始',
    building: '正在构建…',
    loading: '正在加载…',
    failed: '构建失败',
    ended: '已停止',
  },
  built: (ms) => `${ms} 毫秒`,
  builtIn: '上次构建用时',
  problems: '页面问题',
  notBuilt: '无法构建页面',
  errors: (n) => `${n} 个错误`,
  warnings: (n) => `${n} 个警告`,
  fix: '让模型修复',
  fixMessage: (problems) => `预览中的页面有以下错误，请修复。\n\n${problems}`,
  round: (round, of) => `模型正在修复页面：第 ${round} 次尝试，最多 ${of} 次`,
  stop: '停止',
  stuck: '页面没有响应，可能陷入了死循环。',
  end: '停止页面',
  sharesThread: '此浏览器无法在单独的进程中运行页面，无法结束的代码会使工作室卡住。',
};

/** The texts of the preview, which come with its views and not with the page. */
export const previewTexts: Readonly<Record<Locale, PreviewTexts>> = { en, 'zh-CN': zhCn };

/** Those in the person's language. */
export const usePreviewTexts = (): PreviewTexts => previewTexts[useMessages().locale as Locale];
