import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { rmSync } from 'node:fs';
import { MAKE_DATABASE_ROLE, WORK_AS_DATABASE_ROLE } from './database-role.js';

// Program of the database's process: node database-process.js FOLDER SOCKET
const [folder, path] = process.argv.slice(2);
if (folder === undefined || path === undefined) throw new Error('usage: database-process FOLDER SOCKET');

// The search for calls needs the extension; the service itself creates it in its database.
const db = await PGlite.create(folder, { extensions: { pg_trgm } });
await db.exec(MAKE_DATABASE_ROLE);
await db.exec(WORK_AS_DATABASE_ROLE);
// A socket file left behind by a crash would keep the address in use.
rmSync(path, { force: true });
const server = new PGLiteSocketServer({ db, path, maxConnections: 20 });
await server.start();

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await server.stop();
  await db.close();
  process.exit(0);
}

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop());
