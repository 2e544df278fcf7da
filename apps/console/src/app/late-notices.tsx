import type { NoticesProps } from '../notices/notices.js';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { texts } from '../texts/app.js';

/** Notices, loaded after the view: the first view does not wait for their files. */
export function LateNotices(props: NoticesProps): ReactNode {
  const [Loaded, setLoaded] = useState<ComponentType<NoticesProps>>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    import('../notices/notices.js').then(
      ({ Notices }) => isGone || setLoaded(() => Notices),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (failed) return <p role="alert">{texts.noticesFailed}</p>;
  return Loaded === undefined ? null : <Loaded {...props} />;
}
