export type { ChildState } from './child.js';
export { installDebianProgram, type DebianProgram } from './debian-program.js';
export { refuseForeignLinks } from './foreign-links.js';
export { freePort, listening } from './free-port.js';
export { endLeftover } from './leftover.js';
export { ServerAddress } from './server-address.js';
