/** Which requests on the bus this service answers when it shares a process. */
export const DISCOVERY_AUTH = Symbol('discovery-auth');
