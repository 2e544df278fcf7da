import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { eventually } from '../eventually.js';

/** The test run uses this label to remove what an aborted test has left behind. */
export const TEST_LABELS = { 'ringdown-test': process.env['RINGDOWN_TEST_RUN'] ?? `process-${process.pid}` };

/** Ends a container like a crash. testcontainers itself only stops gracefully. */
export async function killContainer(container: StartedTestContainer): Promise<void> {
  const client = await getContainerRuntimeClient();
  const handle = client.container.getById(container.getId());
  await handle.kill({ signal: 'SIGKILL' });
  await handle.wait({ condition: 'not-running' });
}

/**
 * Starts a killed container with its files and waits until `ready` returns true. The restart of testcontainers would
 * wait for the log lines of a first start, which a second one does not write.
 */
export async function startAgain(container: StartedTestContainer, ready: () => Promise<boolean>): Promise<void> {
  const client = await getContainerRuntimeClient();
  await client.container.getById(container.getId()).start();
  await eventually(`${container.getName()} to be ready again`, ready);
}
