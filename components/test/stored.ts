/** Everything in this browser's local storage, session storage, and databases as one JSON text, with bytes read as UTF-8. */
export async function everythingStored(): Promise<string> {
  const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await result(indexedDB.open(name));
    for (const store of db.objectStoreNames)
      found.push(await result(db.transaction(store).objectStore(store).getAll()));
    db.close();
  }
  return JSON.stringify(found, (_, value: unknown) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value,
  );
}

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
