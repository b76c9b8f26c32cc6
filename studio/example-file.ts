/** The main file of the sample project. A workspace without it counts as not having the project. */
export const EXAMPLE_FILE = '/src/App.tsx';
