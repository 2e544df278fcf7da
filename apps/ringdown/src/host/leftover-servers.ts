import { endLeftover } from '@ringdown/embedded';
import { natsServerMark } from '@ringdown/embedded/bus';
import { databaseMark } from '@ringdown/embedded/database';
import { join } from 'node:path';

/** Ends the bus and the database that a killed process has left behind in a folder, so that nothing writes there. Returns their names. */
export function endLeftoverServers(folder: string): readonly string[] {
  const children = [natsServerMark(join(folder, 'nats')), databaseMark(join(folder, 'database'))];
  return children.filter((child) => endLeftover(child) !== undefined).map(({ name }) => name);
}
