import { useEffect, useState } from 'react';
import type { RestApis } from '#studio/sources/http-api/rest-apis.ts';

/** Returns a connection that reads API descriptions, which ends when the view is unmounted. */
export function useReader(apis: RestApis): ReturnType<RestApis['reader']> {
  const [reader] = useState(() => apis.reader());
  useEffect(() => () => reader.end(), [reader]);
  return reader;
}
