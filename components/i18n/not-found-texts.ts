const en = {
  title: 'Page not found',
  help: 'There’s nothing at this address. Files in a workspace don’t have their own web address.',
  toStudio: 'Open the studio',
};

const zhCn: typeof en = {
  title: '找不到页面',
  help: '此地址没有内容。工作区中的文件没有自己的网址。',
  toStudio: '打开工作室',
};

/**
 * Returns the texts of the page for unknown addresses: in Chinese for `zh-CN`, otherwise in English. The server renders this
 * page, so no other part of the studio loads these texts.
 */
export const notFoundTexts = (locale: string): typeof en => (locale === 'zh-CN' ? zhCn : en);
