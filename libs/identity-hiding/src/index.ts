export { IdentityHiding } from './identity-hiding.js';
export { hasMark, isMark, isToken } from './shapes.js';
export { identitySettings, SHORTEST_SEED } from './settings.js';
