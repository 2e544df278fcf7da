export { bearerToken } from './bearer-token.js';
export { challenges } from './challenge.js';
export type { IntrospectionReply, IntrospectionRequest, Principal, Role } from './principal.js';
export {
  anonymousNotAllowed,
  CurrentPrincipal,
  GuestsWelcome,
  NeedsRole,
  requestPrincipal,
  ShowsPhotos,
  TokenGuard,
  WEB_NAMES,
} from './token-guard.js';
export { photoCookie } from './photo-cookie.js';
export { tokenProviders } from './token-providers.js';
export { tokenHash } from './token-hash.js';
export { TokenValidator, type TokenValidatorOptions } from './token-validator.js';
