export { IdentityHiding } from './identity-hiding.js';
