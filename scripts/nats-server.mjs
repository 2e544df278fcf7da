// Makes sure that a nats-server can be started, for commands that run tests without `npm test`.
import { ensureNatsServer } from './prepare.mjs';

ensureNatsServer();
