import { endLeftover } from '@ringdown/embedded';
import { natsServerMark } from '@ringdown/embedded/bus';
import { databaseMark } from '@ringdown/embedded/database';
import { join } from 'node:path';

/** Ends the bus and the database that a killed process has left behind in a folder, so that nothing writes there. Resolves with their names. */
export async function endLeftoverServers(folder: string): Promise<readonly string[]> {
  const children = [natsServerMark(join(folder, 'nats')), databaseMark(join(folder, 'database'))];
  const pids = await Promise.all(children.map(endLeftover));
  return children.filter((_, index) => pids[index] !== undefined).map(({ name }) => name);
}
