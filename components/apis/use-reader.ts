import { useEffect, useState } from 'react';
import type { RestApis } from '#studio/rest/rest-apis.ts';

/** What reads descriptions of APIs for a view, until the view is gone. */
export function useReader(apis: RestApis): ReturnType<RestApis['reader']> {
  const [reader] = useState(() => apis.reader());
  useEffect(() => () => reader.end(), [reader]);
  return reader;
}
