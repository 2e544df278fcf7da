/** The part of the browser's `Storage` that is used. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
