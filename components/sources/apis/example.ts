/** A small description of an HTTP API, as an example to begin with. */
export const EXAMPLE_API = `name: tracker
baseUrl: https://tracker.example.com/api
headers:
  Authorization: Bearer {{token}}
tools:
  - name: get_issue
    description: Returns an issue by its number.
    method: GET
    path: /issues/{id}
    parameters:
      - { name: id, in: path, schema: { type: integer } }
  - name: create_issue
    description: Creates an issue, and returns its number.
    method: POST
    path: /issues
    parameters:
      - { name: title, in: body, required: true, description: The title. }
    result: number
`;
