/**
 * Where the servers for a test run: `processes` of this machine (nats-server from the PATH, PostgreSQL of an npm package), or `containers`
 * (the real NATS and PostgreSQL images, through testcontainers). The same tests run on both.
 */
export function place(): 'processes' | 'containers' {
  return process.env['RINGDOWN_TEST_ON'] === 'containers' ? 'containers' : 'processes';
}
