// The languages of the editor, with their grammars. `register.js` of a language would load its grammar when a file first needs
// it, and if that failed or did not end, files of the language would have no colors until the page is loaded again. So the
// grammars come with the editor, and apply at once.
import 'monaco-editor/languages/definitions/css/register.js';
import 'monaco-editor/languages/definitions/html/register.js';
import 'monaco-editor/languages/definitions/javascript/register.js';
import 'monaco-editor/languages/definitions/markdown/register.js';
import 'monaco-editor/languages/definitions/python/register.js';
import 'monaco-editor/languages/definitions/shell/register.js';
import 'monaco-editor/languages/definitions/sql/register.js';
import 'monaco-editor/languages/definitions/typescript/register.js';
import 'monaco-editor/languages/definitions/xml/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import 'monaco-editor/languages/features/json/register.js';
import * as monaco from 'monaco-editor/editor.js';
import * as css from 'monaco-editor/languages/definitions/css/css.js';
import * as html from 'monaco-editor/languages/definitions/html/html.js';
import * as javascript from 'monaco-editor/languages/definitions/javascript/javascript.js';
import * as markdown from 'monaco-editor/languages/definitions/markdown/markdown.js';
import * as python from 'monaco-editor/languages/definitions/python/python.js';
import * as shell from 'monaco-editor/languages/definitions/shell/shell.js';
import * as sql from 'monaco-editor/languages/definitions/sql/sql.js';
import * as typescript from 'monaco-editor/languages/definitions/typescript/typescript.js';
import * as xml from 'monaco-editor/languages/definitions/xml/xml.js';
import * as yaml from 'monaco-editor/languages/definitions/yaml/yaml.js';
import { createTokenizationSupport } from 'monaco-editor/languages/features/json/tokenization.js';

/** The grammars, by the id of their language. */
const GRAMMARS = { css, html, javascript, markdown, python, shell, sql, typescript, xml, yaml };

for (const [id, { language, conf }] of Object.entries(GRAMMARS)) {
  monaco.languages.setMonarchTokensProvider(id, language);
  monaco.languages.setLanguageConfiguration(id, conf);
}
monaco.languages.setTokensProvider('json', createTokenizationSupport(true));
