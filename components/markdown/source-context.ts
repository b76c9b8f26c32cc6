import { createContext } from 'react';
import type { Formula } from './formulas.ts';

/** The Markdown that is being rendered, to which the positions of nodes refer, and the formulas that it has numbers for. */
export const SourceContext = createContext<{ text: string; formulas: readonly Formula[] }>({ text: '', formulas: [] });
