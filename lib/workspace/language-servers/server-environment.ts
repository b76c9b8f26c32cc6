/** The variables that programs and their toolchains need to be found and to run. None of them holds a secret. */
const PASSED_ON = [
  ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ'],
  ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES'],
  ['TMPDIR', 'TMP', 'TEMP', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  ['GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME', 'JAVA_HOME', 'VIRTUAL_ENV'],
  ['SystemRoot', 'ComSpec', 'PATHEXT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles'],
].flat();

/**
 * Returns the environment for language servers: the variables of `own`, this process's, that are in a list of allowed ones,
 * so that no API key reaches the servers.
 */
export function serverEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passedOn = PASSED_ON.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]));
  return { ...Object.fromEntries(passedOn), NODE_ENV: own.NODE_ENV };
}
