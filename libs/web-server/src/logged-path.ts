import type { FastifyRequest } from 'fastify';
import { urlPath } from './profile-paths.js';

/** In lower case. The id of a meeting admits guests, so that it must not be in a log. */
const MEETING_PATHS = ['/meet/', '/myonlinemeetings/'];

/** The path of a request for the log: that of a meeting without organizer and id. */
export function loggedPath({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): string {
  const path = urlPath(url);
  const { url: route = '' } = routeOptions;
  const namesMeeting = [route, path].some((each) => MEETING_PATHS.some((part) => each.toLowerCase().includes(part)));
  if (!namesMeeting) return path;
  return route === '' ? '(meeting)' : route;
}
