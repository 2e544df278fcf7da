/** The limit of the feed's own manager; records need six. */
export const DEPTH_LIMIT = 32;
/** The largest known records (two audio directions with quality, route and WiFi fields) have some 200. */
export const ELEMENT_LIMIT = 2_000;
/** Per element. No known element has more than four. */
export const ATTRIBUTE_LIMIT = 32;
