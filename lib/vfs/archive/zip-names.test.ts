import { expect, test } from 'vitest';
import { nameDecoder } from './zip-names.ts';

/** The language of a browser, and names with their bytes, as programs of some language write them into zips. */
const ZIPS: readonly [language: string, names: Readonly<Record<string, string>>][] = [
  ['ja-JP', { '表.csv': '955c2e637376' }],
  ['ja-JP', { '写真1.txt': '8eca905e312e747874' }],
  ['ja-JP', { '資料.txt': '8e9197bf2e747874' }],
  ['ja-JP', { '報告書.md': '95f18d908f912e6d64' }],
  ['ja-JP', { '売上データ.csv': '94848fe38366815b835e2e637376' }],
  ['ja-JP', { 'テスト.txt': '8365835883672e747874' }],
  ['ja-JP', { '議事録2024.md': '8b638e96985e323032342e6d64' }],
  ['ja-JP', { '請求書.txt': '90bf8b818f912e747874' }],
  ['ja-JP', { '名簿.csv': '96bc95eb2e637376' }],
  ['ja-JP', { 'プログラム.js': '8376838d834f838983802e6a73' }],
  [
    'ja-JP',
    {
      '表.csv': '955c2e637376',
      '写真1.txt': '8eca905e312e747874',
      '資料.txt': '8e9197bf2e747874',
      '報告書.md': '95f18d908f912e6d64',
      '売上データ.csv': '94848fe38366815b835e2e637376',
      'テスト.txt': '8365835883672e747874',
      '議事録2024.md': '8b638e96985e323032342e6d64',
      '請求書.txt': '90bf8b818f912e747874',
      '名簿.csv': '96bc95eb2e637376',
      'プログラム.js': '8376838d834f838983802e6a73',
    },
  ],
  ['ko-KR', { '보고서.txt': 'bab8b0edbcad2e747874' }],
  ['ko-KR', { '사진1.txt': 'bbe7c1f8312e747874' }],
  ['ko-KR', { '자료.csv': 'c0dab7e12e637376' }],
  ['ko-KR', { '새 폴더/메모.txt': 'bbf520c6fab4f52fb8deb8f02e747874' }],
  ['ko-KR', { '회의록.md': 'c8b8c0c7b7cf2e6d64' }],
  ['ko-KR', { '데이터.csv': 'b5a5c0ccc5cd2e637376' }],
  [
    'ko-KR',
    {
      '보고서.txt': 'bab8b0edbcad2e747874',
      '사진1.txt': 'bbe7c1f8312e747874',
      '자료.csv': 'c0dab7e12e637376',
      '새 폴더/메모.txt': 'bbf520c6fab4f52fb8deb8f02e747874',
      '회의록.md': 'c8b8c0c7b7cf2e6d64',
      '데이터.csv': 'b5a5c0ccc5cd2e637376',
    },
  ],
  ['zh-CN', { '说明.txt': 'cbb5c3f72e747874' }],
  ['zh-CN', { '数据.csv': 'cafdbedd2e637376' }],
  ['zh-CN', { '表.csv': 'b1ed2e637376' }],
  ['zh-CN', { '报告.md': 'b1a8b8e62e6d64' }],
  ['zh-CN', { '新建文本文档.txt': 'd0c2bda8cec4b1becec4b5b52e747874' }],
  ['zh-CN', { '照片1.txt': 'd5d5c6ac312e747874' }],
  [
    'zh-CN',
    {
      '说明.txt': 'cbb5c3f72e747874',
      '数据.csv': 'cafdbedd2e637376',
      '表.csv': 'b1ed2e637376',
      '报告.md': 'b1a8b8e62e6d64',
      '新建文本文档.txt': 'd0c2bda8cec4b1becec4b5b52e747874',
      '照片1.txt': 'd5d5c6ac312e747874',
    },
  ],
  ['zh-TW', { '說明.txt': 'bba1a9fa2e747874' }],
  ['zh-TW', { '資料.csv': 'b8eaaec62e637376' }],
  ['zh-TW', { '報告.md': 'b3f8a7692e6d64' }],
  ['zh-TW', { '照片1.txt': 'b7d3a4f9312e747874' }],
  [
    'zh-TW',
    {
      '說明.txt': 'bba1a9fa2e747874',
      '資料.csv': 'b8eaaec62e637376',
      '報告.md': 'b3f8a7692e6d64',
      '照片1.txt': 'b7d3a4f9312e747874',
    },
  ],
  ['de-DE', { 'Größe.txt': '477294e1652e747874' }],
  ['de-DE', { 'Übersicht.csv': '9a62657273696368742e637376' }],
  ['de-DE', { 'Änderungen.md': '8e6e646572756e67656e2e6d64' }],
  ['de-DE', { 'Straße.txt': '53747261e1652e747874' }],
  ['de-DE', { 'Müller Bericht.txt': '4d816c6c657220426572696368742e747874' }],
  ['de-DE', { 'Prüfung/Lösung.txt': '50728166756e672f4c9473756e672e747874' }],
  [
    'de-DE',
    {
      'Größe.txt': '477294e1652e747874',
      'Übersicht.csv': '9a62657273696368742e637376',
      'Änderungen.md': '8e6e646572756e67656e2e6d64',
      'Straße.txt': '53747261e1652e747874',
      'Müller Bericht.txt': '4d816c6c657220426572696368742e747874',
      'Prüfung/Lösung.txt': '50728166756e672f4c9473756e672e747874',
    },
  ],
  ['fr-FR', { 'résumé.txt': '728273756d822e747874' }],
  ['fr-FR', { 'élèves.csv': '826c8a7665732e637376' }],
  ['fr-FR', { 'année 2024.csv': '616e6e826520323032342e637376' }],
  [
    'fr-FR',
    {
      'résumé.txt': '728273756d822e747874',
      'élèves.csv': '826c8a7665732e637376',
      'année 2024.csv': '616e6e826520323032342e637376',
    },
  ],
  ['ru-RU', { 'отчет.txt': 'aee2e7a5e22e747874' }],
  ['ru-RU', { 'данные.csv': 'a4a0adadeba52e637376' }],
  ['ru-RU', { 'Новая папка/файл.txt': '8daea2a0ef20afa0afaaa02fe4a0a9ab2e747874' }],
  [
    'ru-RU',
    {
      'отчет.txt': 'aee2e7a5e22e747874',
      'данные.csv': 'a4a0adadeba52e637376',
      'Новая папка/файл.txt': '8daea2a0ef20afa0afaaa02fe4a0a9ab2e747874',
    },
  ],
  ['en-US', { 'Größe.txt': '477294e1652e747874' }],
  ['en-US', { 'отчет за год.txt': 'aee2e7a5e220a7a020a3aea42e747874' }],
  ['pt-BR', { 'São João.txt': '53c66f204a6fc66f2e747874', 'ação.csv': '6187c66f2e637376' }],
  ['ja-JP', { '予算.xlsx': '975c8e5a2e786c7378' }],
  ['ja-JP', { '見積書.pdf': '8ca990cf8f912e706466', '2024年度/計画.md': '32303234944e93782f8c7689e62e6d64' }],
  ['uk-UA', { 'звіт.txt': 'e7e2b3f22e747874' }],
  ['zh-CN', { 'Übersicht.csv': '9a62657273696368742e637376' }],
  ['en-US', { 'テスト.txt': '8365835883672e747874' }],
  ['es-ES', { 'Año nuevo.txt': '41a46f206e7565766f2e747874', 'Índice.md': 'd66e646963652e6d64' }],
  ['ja-JP', { 'résumé.pdf': '728273756d822e706466' }],
  ['fr-FR', { 'château.txt': '636883746561752e747874', 'âge.csv': '8367652e637376' }],
];

test.each(ZIPS)('in a browser in %s, names are read: %j', (language, names) => {
  const raw = Object.values(names).map((bytes) => new Uint8Array(Buffer.from(bytes, 'hex')));
  const decode = nameDecoder(raw, [language, 'en']);
  expect(raw.map(decode)).toEqual(Object.keys(names));
});
