import * as z from 'zod';
import { COLLECTION_TYPES, ENTRY_TYPES, RELATIONSHIP_TYPES, SOURCE_TYPES, SOURCES, SPACES } from '../../notes';
import { ADD, overNetwork, READ, REPLACE } from '../annotations';
import { sourceIsRequired } from '../notes-arguments';
import { getNote, searchNotes } from '../notes-finding';
import { helpWith } from '../notes-help';
import { lookUpLinks, manageLinks } from '../notes-linking';
import { manageNote } from '../notes-managing';
import type { AgentWrites } from '../policy';
import { defineTool, type Toolset } from '../tool';
import { origin } from './fields';

/**
 * Notes: the five tools of seed 004 with exactly its names, arguments and result fields. Additions are optional fields
 * only. A schema holds sizes and types; what an action needs is told by `notes-arguments.ts`, what an id may be by the
 * domain.
 */

const MAX_QUERY = 4_096;
const MAX_CONTENT = 1_048_576;
const MAX_TAGS = 100;
const MAX_MEMBERS = 1_000;

const LOCATIONS = [...SPACES, 'registry'] as const;

const id = z.string().min(1).max(200);
const line = z.string().max(1_000);
const location = z.enum(LOCATIONS).optional();
const tags = z.array(z.string().min(1).max(200)).max(MAX_TAGS).optional();
const version = z.string().min(1).max(100).optional();
const flag = z.boolean().optional();
const oneOrMore = <Each extends z.ZodType>(each: Each) => z.union([each, z.array(each).min(1).max(2)]);
const sourceFor = (example: string) => {
  const error = () => sourceIsRequired(example);
  return z.union([z.enum(SOURCES), z.array(z.enum(SOURCES)).min(1, { error }).max(2)], { error });
};
const anySource = oneOrMore(z.enum(SOURCES)).meta({ default: 'local' }).optional();

/** Of results: what a file says may be another text than the fields allow, and is given all the same. */
const found = {
  zettel_id: z.string(),
  title: z.string(),
  entry_type: z.enum(ENTRY_TYPES).optional(),
  tags: z.array(z.string()),
  source_location: z.enum(LOCATIONS),
  category: z.string().optional(),
  version: z.string().optional(),
  origin,
};
const relationship = z.strictObject({
  zettel_id: z.string(),
  relationship_type: z.enum(RELATIONSHIP_TYPES),
  direction: z.enum(['outgoing', 'incoming']),
  source_location: location,
  title: z.string().optional(),
  missing: flag,
  created_by: z.string().optional(),
  created_at: z.string().optional(),
});
const message = z.string().optional();
const pending = z.string().optional();

const search = defineTool({
  name: 'search',
  title: 'Search notes',
  description:
    "Search notes: the project's and the user's (local), the team's (registry). Search before you write one.",
  input: z.strictObject({
    query: z.string().min(1).max(MAX_QUERY),
    source: sourceFor('search({"query": "email deliverability", "source": "local"})'),
    category: line.describe('folder, with those below it').optional(),
    entry_type: z.enum(ENTRY_TYPES).optional(),
    tags: tags.describe('all of them'),
    limit: z.int().min(1).max(100).meta({ default: 10 }).optional(),
  }),
  output: z.strictObject({
    query: z.string(),
    source: oneOrMore(z.enum(SOURCES)),
    results_count: z.int().min(0),
    results: z.array(z.strictObject({ ...found, relevance_score: z.number().min(0).max(1), snippet: z.string() })),
    message,
  }),
  annotations: overNetwork(READ),
  run: searchNotes,
});

const getInput = z.strictObject({
  zettel_id: id,
  source: sourceFor('get({"zettel_id": "042-email-deliverability", "source": "local"})'),
  include_relationships: flag,
  include_backlinks: flag,
  version: version.describe("of the registry's"),
});
const getOutput = z.strictObject({
  ...found,
  content: z.string(),
  source_type: z.enum(SOURCE_TYPES).optional(),
  source_url: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  path: z.string().optional(),
  content_hash: z.string(),
  relationships: z.array(relationship).optional(),
  backlinks: z.array(relationship).optional(),
  downloads: z
    .array(
      z.strictObject({
        location: z.enum(SPACES),
        path: z.string(),
        status: z.enum(['written', 'unchanged', 'conflict']),
        difference: z.string().optional(),
      }),
    )
    .optional(),
  message,
  pending,
});

const readOnlyGet = defineTool({
  name: 'get',
  title: 'Get note',
  description: 'Get the whole of a note. Local looks in project, then user; source_location says where it was.',
  input: getInput,
  output: getOutput,
  annotations: overNetwork(READ),
  run: getNote,
});

const get = defineTool({
  ...readOnlyGet,
  description: `${readOnlyGet.description} With destination, downloads what comes from the registry; never overwrites.`,
  input: getInput.extend({ destination: oneOrMore(z.enum(SPACES)).optional() }),
  output: getOutput,
  annotations: overNetwork(ADD),
  run: getNote,
  reading: readOnlyGet,
});

const manage = defineTool({
  name: 'manage',
  title: 'Manage notes',
  description:
    'Create, update, delete, rename or publish a note. create: title, content, entry_type. update: only what changes. delete: confirm, after the user agreed. publish: to the registry; on status conflict show the difference, and confirm only if the user says so.',
  input: z.strictObject({
    action: z.enum(['create', 'update', 'delete', 'publish', 'rename']),
    zettel_id: id.describe('becomes the file name, e.g. 042-email-deliverability'),
    title: line.optional(),
    content: z.string().max(MAX_CONTENT).describe('Markdown without front matter; [[id]] links').optional(),
    entry_type: z.enum(ENTRY_TYPES).optional(),
    tags,
    source_type: z.enum(SOURCE_TYPES).optional(),
    source_url: z.string().max(4_096).optional(),
    category: line.describe('folder; of its type unless told').optional(),
    location: location.describe('create: project unless told; else where the note lies'),
    version: version.describe('publish: semver, next patch unless told'),
    confirm: flag,
    content_hash: z.string().max(64).describe('as get gave it').optional(),
    new_zettel_id: id.optional(),
  }),
  output: z.strictObject({
    status: z.enum(['success', 'conflict', 'pending']),
    action: z.string(),
    zettel_id: z.string(),
    location,
    path: z.string().optional(),
    version: z.string().optional(),
    content_hash: z.string().optional(),
    also: z.array(z.string()).optional(),
    reason: z.string().optional(),
    latest: z.strictObject({ version: z.string(), published_by: z.string(), published_at: z.string() }).optional(),
    difference: z.string().optional(),
    message,
    pending,
  }),
  annotations: overNetwork(REPLACE),
  run: manageNote,
});

const linkOutput = z.strictObject({
  status: z.enum(['success', 'pending']),
  action: z.string(),
  zettel_id: z.string().optional(),
  relationship: z
    .strictObject({
      from_zettel_id: z.string(),
      to_zettel_id: z.string(),
      relationship_type: z.enum(RELATIONSHIP_TYPES),
      location,
      to_location: location,
    })
    .optional(),
  changed: z.boolean().optional(),
  relationships: z.array(relationship).optional(),
  collection: z.unknown().optional(),
  collections: z.array(z.unknown()).optional(),
  path: z.string().optional(),
  message,
  pending,
});
const LOOKING_UP = ['get_relationships', 'get_collection', 'list_collections'] as const;
const lookUpInput = z.strictObject({
  action: z.enum(LOOKING_UP),
  zettel_id: id.optional(),
  collection: line.describe('id or name').optional(),
  source: anySource,
});

const readOnlyLink = defineTool({
  name: 'link',
  title: 'Links and collections',
  description: 'get_relationships of a note (zettel_id), get_collection, list_collections.',
  input: lookUpInput,
  output: linkOutput,
  annotations: overNetwork(READ),
  run: lookUpLinks,
});

const link = defineTool({
  ...readOnlyLink,
  description:
    'link or unlink two notes, also across locations; get_relationships of a note (zettel_id); create_collection (name, description, zettel_ids, collection_type), get_collection, list_collections.',
  input: lookUpInput.extend({
    action: z.enum(['link', 'unlink', 'create_collection', ...LOOKING_UP]),
    from_zettel_id: id.optional(),
    to_zettel_id: id.optional(),
    relationship_type: z.enum(RELATIONSHIP_TYPES).optional(),
    location: location.describe('of the from end, or the new collection'),
    to_location: location,
    name: line.optional(),
    description: z.string().max(8_192).optional(),
    zettel_ids: z.array(id).max(MAX_MEMBERS).optional(),
    collection_type: z.enum(COLLECTION_TYPES).optional(),
  }),
  output: linkOutput,
  annotations: overNetwork(REPLACE),
  run: manageLinks,
  reading: readOnlyLink,
});

const help = defineTool({
  name: 'help',
  title: 'Help with notes',
  description: 'How to work with notes: workflow and examples.',
  input: z.strictObject({
    query: z.string().min(1).max(MAX_QUERY),
    context: z.string().max(MAX_QUERY).optional(),
  }),
  output: z.strictObject({
    topic: z.string(),
    workflow: z.array(z.string()),
    examples: z.array(z.strictObject({ description: z.string(), code: z.string() })),
    other_topics: z.array(z.string()),
  }),
  annotations: READ,
  run: ({ discovery }, args) => helpWith(discovery, args),
});

function instructions(_project: string | undefined, agentWrites: AgentWrites): string {
  const reading =
    'Notes: search(query, source="local") before you work out something that may be known; get what fits; say where it came from (source_location). Use source="registry" only when local has nothing, or the user asks for what the team shares: it is a network call.';
  if (agentWrites === 'deny') return reading;
  return `${reading} What is worth keeping becomes a note: search for a similar one, manage(action="create"), then link it. Publish and delete only with the user's agreement. help explains the rest.`;
}

export const notesToolset: Toolset = {
  name: 'notes',
  tools: [search, get, manage, link, help],
  instructions,
};
