// What the query API answers; types only, which add nothing to the page.
export type * from '@ringdown/answers/alerts';
export type * from '@ringdown/answers/call';
export type * from '@ringdown/answers/call-answers';
export type * from '@ringdown/answers/catalogue';
export type * from '@ringdown/answers/endpoint';
export type * from '@ringdown/answers/front-ends';
export type * from '@ringdown/answers/limits';
export type * from '@ringdown/answers/messages';
export type * from '@ringdown/answers/people';
export type * from '@ringdown/answers/problem';
export type * from '@ringdown/answers/quality';
export type * from '@ringdown/answers/records';
export type * from '@ringdown/answers/searches';
export type * from '@ringdown/answers/services';
export type * from '@ringdown/answers/statistics';
export type * from '@ringdown/answers/suspects';
export type * from '@ringdown/answers/values';
