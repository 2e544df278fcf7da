/**
 * What a program of ours needs of the environment of the tests, beside its settings. With the chunks that another process
 * has compiled (scripts/launch.cjs) it starts with a tenth to a fifth less processor time.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
