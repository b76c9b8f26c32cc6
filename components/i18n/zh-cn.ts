import { en, type Messages } from './en.ts';

export const zhCn: Messages = en;
