/** What programs need of the environment, also of Node and of nats-server as a Go program: no setting or secret of ours. */
const NEEDED = new Set(
  (
    'PATH HOME USER LOGNAME TMPDIR TMP TEMP TZ LANG LD_LIBRARY_PATH ' +
    'NODE_OPTIONS NODE_COMPILE_CACHE GOMAXPROCS GOMEMLIMIT GOGC'
  ).split(' '),
);

/** Where packages come from. */
const NEEDED_TO_DOWNLOAD = /^(?:https?_proxy|ftp_proxy|no_proxy|all_proxy|apt_config)$/i;

/** The part of an environment that a child process needs; settings reach it by its arguments and files alone. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.has(name) || name.startsWith('LC_')));
}

/** The same for a program that downloads packages; its messages are in English. */
export function downloadEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const network = Object.entries(env).filter(([name]) => NEEDED_TO_DOWNLOAD.test(name));
  return { ...childEnvironment(env), ...Object.fromEntries(network), LC_ALL: 'C' };
}
