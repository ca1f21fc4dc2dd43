/*-------------------------------------------------------------------------
 *
 * BenchLucene.java
 *		Time Lucene; called as peer.h says, and prints the same lines.
 *
 * Documents and frequencies, no positions, nothing stored; merged into one
 * segment.  BM25Similarity with k1 = 1.2 and b = 0.75, which rounds lengths to
 * one byte.  Hits are counted no further than k, so that it may skip all it
 * can; no query is cached.  Before the first time is taken it answers queries
 * for WARM_UP seconds, so that they run compiled.
 *
 *-------------------------------------------------------------------------
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

public class BenchLucene {
	private static final String FIELD = "body";
	private static final int BEST = 10;
	private static final double WARM_UP = 30;
	private static final BM25Similarity SIMILARITY = new BM25Similarity(1.2f, 0.75f);

	/** A query and its number in the file. */
	private static class Question {
		final int number;
		final String words;

		Question(int number, String words) {
			this.number = number;
			this.words = words;
		}
	}

	private final int rounds;
	private final double budget;
	private final Map<String, List<Question>> classes = new LinkedHashMap<>();
	private IndexSearcher searcher;

	private BenchLucene(int rounds, double budget) {
		this.rounds = rounds;
		this.budget = budget;
	}

	private static double now() {
		return System.nanoTime() / 1e9;
	}

	/** Merges keep the order, so a document's place is its number. */
	private static void build(MMapDirectory directory, Path docs) throws IOException {
		FieldType type = new FieldType();
		type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
		type.setTokenized(true);
		type.freeze();
		IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
		config.setSimilarity(SIMILARITY);
		config.setRAMBufferSizeMB(256);
		config.setUseCompoundFile(false);
		config.setMergePolicy(new LogByteSizeMergePolicy());
		config.setMergeScheduler(new SerialMergeScheduler());
		try (IndexWriter writer = new IndexWriter(directory, config);
				BufferedReader in = Files.newBufferedReader(docs)) {
			for (String line; (line = in.readLine()) != null;) {
				Document document = new Document();
				document.add(new Field(FIELD, line.substring(line.indexOf('\t') + 1), type));
				writer.addDocument(document);
			}
			writer.forceMerge(1);
			writer.commit();
		}
	}

	private void readQueries(Path path) throws IOException {
		int number = 0;
		for (String line : Files.readAllLines(path)) {
			String[] parts = line.split("\t");
			classes.computeIfAbsent(parts[0], name -> new ArrayList<>())
					.add(new Question(number++, parts[1]));
		}
	}

	private ScoreDoc[] search(String words, int k) throws IOException {
		BooleanQuery.Builder any = new BooleanQuery.Builder();
		String[] list = words.split(" ");
		for (String word : list) {
			any.add(new TermQuery(new Term(FIELD, word)), BooleanClause.Occur.SHOULD);
		}
		Query query = list.length == 1 ? new TermQuery(new Term(FIELD, words)) : any.build();
		TopScoreDocCollector collector = TopScoreDocCollector.create(k, k);
		searcher.search(query, collector);
		return collector.topDocs().scoreDocs;
	}

	private void warmUp(int[] ks) throws IOException {
		double end = now() + WARM_UP;
		while (now() < end) {
			for (int k : ks) {
				for (List<Question> questions : classes.values()) {
					for (Question question : questions) {
						search(question.words, k);
					}
				}
			}
		}
	}

	private static void printBest(String name, int number, ScoreDoc[] hits) {
		StringBuilder line = new StringBuilder("best\t" + name + "\t" + number + "\t");
		for (int i = 0; i < hits.length && i < BEST; i++) {
			line.append(i > 0 ? " " : "").append(hits[i].doc);
		}
		System.out.println(line);
	}

	private static void printTimes(int k, String name, double[] all, int n) {
		if (n == 0) {
			return;
		}
		double[] times = Arrays.copyOf(all, n);
		Arrays.sort(times);
		System.out.printf("time\t%d\t%s\t%d\t%.4f\t%.4f%n", k, name, n,
				(times[(n - 1) / 2] + times[n / 2]) / 2, times[(n * 95 + 99) / 100 - 1]);
	}

	private void timeClass(String name, List<Question> questions, int k, boolean best)
			throws IOException {
		double[] times = new double[questions.size() * rounds];
		double start = now();
		int n = 0;
		for (int round = -1; round < rounds; round++) {
			for (Question question : questions) {
				double before = now();
				if (before - start > (round < 0 ? budget / 3 : budget) && (round < 0 || n > 0)) {
					break;
				}
				boolean show = best && round < 0;
				ScoreDoc[] hits = search(question.words, show ? Math.max(k, BEST) : k);
				if (round >= 0) {
					times[n++] = (now() - before) * 1e3;
				} else if (show) {
					printBest(name, question.number, hits);
				}
			}
		}
		printTimes(k, name, times, n);
	}

	public static void main(String[] args) throws IOException {
		if (args.length < 6) {
			System.err.println("usage: BenchLucene FOLDER DOCS QUERIES ROUNDS SECONDS K...");
			System.exit(2);
		}
		// Debian's jar lacks the classes of the newer way to map files.
		System.setProperty("org.apache.lucene.store.MMapDirectory.enableMemorySegments", "false");
		int[] ks = Arrays.stream(args).skip(5).mapToInt(Integer::parseInt).toArray();
		BenchLucene bench = new BenchLucene(Math.max(1, Integer.parseInt(args[3])),
				Double.parseDouble(args[4]));
		System.out.println("version\tLucene " + Version.LATEST + ", Java "
				+ System.getProperty("java.version"));
		double start = now();
		MMapDirectory directory = new MMapDirectory(Paths.get(args[0]));
		build(directory, Paths.get(args[1]));
		System.out.printf("built\t%.3f%n", now() - start);
		bench.readQueries(Paths.get(args[2]));
		bench.searcher = new IndexSearcher(DirectoryReader.open(directory));
		bench.searcher.setSimilarity(SIMILARITY);
		bench.searcher.setQueryCache(null);
		bench.warmUp(ks);
		for (int k : ks) {
			for (Map.Entry<String, List<Question>> each : bench.classes.entrySet()) {
				bench.timeClass(each.getKey(), each.getValue(), k, k == ks[0]);
			}
		}
	}
}
