import { poisonedFold, startReading } from './feed-reading.js';

const { NATS_URL: natsUrl = '', DATABASE_URL: databaseUrl = '' } = process.env;
await startReading({ natsUrl, databaseUrl, limitMs: 60_000, foldCall: poisonedFold });
