export { IdentityHiding } from './identity-hiding.js';
export { identitySettings, SHORTEST_SEED } from './settings.js';
