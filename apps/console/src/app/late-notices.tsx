import type { ComponentType, ReactNode } from 'react';
import type { NoticesProps } from '../notices/notices.js';
import { useLatePart } from '../parts/use-late-part.js';
import { texts } from '../texts/app.js';

const loadNotices = async (): Promise<ComponentType<NoticesProps>> => (await import('../notices/notices.js')).Notices;

/** Notices, loaded after the view: the first view does not wait for their files. */
export function LateNotices(props: NoticesProps): ReactNode {
  const { part: Notices, hasFailed } = useLatePart(loadNotices);
  if (hasFailed) return <p role="alert">{texts.noticesFailed}</p>;
  return Notices === undefined ? null : <Notices {...props} />;
}
