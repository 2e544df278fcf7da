/** What programs need of the environment, also of Node and of nats-server as a Go program: no setting or secret of ours. */
const NEEDED = new Set(
  (
    'PATH HOME USER LOGNAME TMPDIR TMP TEMP TZ LANG LD_LIBRARY_PATH ' +
    'NODE_OPTIONS NODE_COMPILE_CACHE GOMAXPROCS GOMEMLIMIT GOGC'
  ).split(' '),
);

/** The part of an environment that a child process needs; settings reach it by its arguments and files alone. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.has(name) || name.startsWith('LC_')));
}
