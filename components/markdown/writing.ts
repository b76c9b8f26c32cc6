import { createContext } from 'react';

/** Whether the surrounding text is still being written. */
export const WritingContext = createContext(false);
