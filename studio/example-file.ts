/** The file that the sample project is about. Without it, the workspace does not have the project. */
export const EXAMPLE_FILE = '/src/App.tsx';
