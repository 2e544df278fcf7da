// Makes sure that nats-server is installed, for commands that run tests without `npm test`.
import { ensureNatsServer } from './prepare.mjs';

ensureNatsServer();
