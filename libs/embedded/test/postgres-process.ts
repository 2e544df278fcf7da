import { createLogger } from '@ringdown/observability';
import { startPostgresServer } from '../src/doors/database.js';

// A process to be killed while it starts PostgreSQL in a folder.
const [folder = ''] = process.argv.slice(2);
await startPostgresServer({ folder, logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }) });
