import { useEffect, useState } from 'react';
import type { RestApis } from '#studio/sources/http-api/rest-apis.ts';

/** Returns a reader of API descriptions and OpenAPI documents, which works in a worker and ends when the view is unmounted. */
export function useReader(apis: RestApis): ReturnType<RestApis['reader']> {
  const [reader] = useState(() => apis.reader());
  useEffect(() => () => reader.end(), [reader]);
  return reader;
}
