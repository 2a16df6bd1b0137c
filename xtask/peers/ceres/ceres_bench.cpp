// Bundle adjustments and pose graphs solved by Ceres, for comparison: the same residuals as `tilework solve`, automatic derivatives, one
// thread unless told otherwise. Prints one line of JSON.
//
//   ceres_bench bal FILE [threads]     ceres_bench g2o FILE [threads]
//
// Built by solve_bench.py where Ceres is installed (Debian: libceres-dev).

#include <ceres/ceres.h>
#include <ceres/rotation.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

// A point seen by a camera: angle-axis rotation, translation, focal length and two coefficients of distortion.
struct Reprojection {
  double seen_x, seen_y;
  template <typename T>
  bool operator()(const T* camera, const T* point, T* residual) const {
    T p[3];
    ceres::AngleAxisRotatePoint(camera, point, p);
    for (int k = 0; k < 3; ++k) p[k] += camera[3 + k];
    const T x = -p[0] / p[2], y = -p[1] / p[2];
    const T r2 = x * x + y * y;
    const T scale = camera[6] * (1.0 + r2 * (camera[7] + camera[8] * r2));
    residual[0] = scale * x - seen_x;
    residual[1] = scale * y - seen_y;
    return true;
  }
};

struct Edge2 {
  double x, y, angle;
  Eigen::Matrix3d root;
  template <typename T>
  bool operator()(const T* a, const T* b, T* residual) const {
    using std::cos;
    using std::floor;
    using std::sin;
    const T c = cos(a[2]), s = sin(a[2]), dx = b[0] - a[0], dy = b[1] - a[1];
    T turn = b[2] - a[2] - angle;
    turn -= 2.0 * M_PI * floor((turn + M_PI) / (2.0 * M_PI));
    const T error[3] = {c * dx + s * dy - x, -s * dx + c * dy - y, turn};
    for (int i = 0; i < 3; ++i) {
      residual[i] = T(0.0);
      for (int j = i; j < 3; ++j) residual[i] += root(i, j) * error[j];
    }
    return true;
  }
};

struct Edge3 {
  Eigen::Vector3d moved;
  Eigen::Quaterniond turned;
  Eigen::Matrix<double, 6, 6> root;
  template <typename T>
  bool operator()(const T* pa, const T* qa, const T* pb, const T* qb, T* residual) const {
    using Vector = Eigen::Matrix<T, 3, 1>;
    const Eigen::Map<const Vector> a(pa), b(pb);
    const Eigen::Map<const Eigen::Quaternion<T>> ra(qa), rb(qb);
    const Eigen::Quaternion<T> back = ra.conjugate();
    const Eigen::Quaternion<T> between = back * rb;
    const Eigen::Quaternion<T> rest = turned.template cast<T>() * between.conjugate();
    Eigen::Map<Eigen::Matrix<T, 6, 1>> out(residual);
    out.template block<3, 1>(0, 0) = back * (b - a) - moved.template cast<T>();
    out.template block<3, 1>(3, 0) = T(2.0) * rest.vec();
    out.applyOnTheLeft(root.template cast<T>());
    return true;
  }
};

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << "\n";
  std::exit(2);
}

void run(ceres::Problem& problem, ceres::Solver::Options options, int threads) {
  options.num_threads = threads;
  options.max_num_iterations = 100;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  std::printf("{\"initial_cost\": %.12g, \"final_cost\": %.12g, \"iterations\": %d, \"seconds\": %.6f, \"linear\": \"%s\"}\n",
              summary.initial_cost, summary.final_cost, static_cast<int>(summary.iterations.size()) - 1,
              summary.total_time_in_seconds, ceres::LinearSolverTypeToString(summary.linear_solver_type_used));
}

void bundle(std::ifstream& file, int threads, const std::string& linear) {
  int n_cameras, n_points, n_seen;
  if (!(file >> n_cameras >> n_points >> n_seen)) fail("no BAL file");
  struct Seen { int camera, point; double x, y; };
  std::vector<Seen> seen(n_seen);
  for (auto& s : seen) file >> s.camera >> s.point >> s.x >> s.y;
  std::vector<double> cameras(9 * n_cameras), points(3 * n_points);
  for (auto& x : cameras) file >> x;
  for (auto& x : points) file >> x;
  if (!file) fail("the BAL file ends too early");
  ceres::Problem problem;
  auto* order = new ceres::ParameterBlockOrdering;
  for (const auto& s : seen) {
    double *camera = &cameras[9 * s.camera], *point = &points[3 * s.point];
    problem.AddResidualBlock(new ceres::AutoDiffCostFunction<Reprojection, 2, 9, 3>(new Reprojection{s.x, s.y}), nullptr,
                             camera, point);
    order->AddElementToGroup(point, 0);
    order->AddElementToGroup(camera, 1);
  }
  ceres::Solver::Options options;
  options.linear_solver_type = linear == "sparse" ? ceres::SPARSE_SCHUR : ceres::DENSE_SCHUR;
  options.linear_solver_ordering.reset(order);
  run(problem, options, threads);
}

void pose_graph(std::ifstream& file, int threads) {
  struct Pose3 { Eigen::Vector3d p; Eigen::Quaterniond q; };
  std::map<int, Eigen::Vector3d> flat;
  std::map<int, Pose3> poses;
  ceres::Problem problem;
  ceres::Manifold* quaternion = new ceres::EigenQuaternionManifold;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string kind;
    in >> kind;
    int a, b;
    if (kind == "VERTEX_SE2") {
      in >> a;
      auto& v = flat[a];
      in >> v[0] >> v[1] >> v[2];
    } else if (kind == "VERTEX_SE3:QUAT") {
      in >> a;
      auto& v = poses[a];
      in >> v.p[0] >> v.p[1] >> v.p[2] >> v.q.x() >> v.q.y() >> v.q.z() >> v.q.w();
      v.q.normalize();
    } else if (kind == "EDGE_SE2") {
      auto* edge = new Edge2;
      Eigen::Matrix3d information;
      in >> a >> b >> edge->x >> edge->y >> edge->angle;
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) { in >> information(i, j); information(j, i) = information(i, j); }
      edge->root = information.llt().matrixU();
      problem.AddResidualBlock(new ceres::AutoDiffCostFunction<Edge2, 3, 3, 3>(edge), nullptr, flat[a].data(), flat[b].data());
    } else if (kind == "EDGE_SE3:QUAT") {
      auto* edge = new Edge3;
      Eigen::Matrix<double, 6, 6> information;
      in >> a >> b >> edge->moved[0] >> edge->moved[1] >> edge->moved[2];
      in >> edge->turned.x() >> edge->turned.y() >> edge->turned.z() >> edge->turned.w();
      edge->turned.normalize();
      for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) { in >> information(i, j); information(j, i) = information(i, j); }
      edge->root = information.llt().matrixU();
      auto &pa = poses[a], &pb = poses[b];
      problem.AddResidualBlock(new ceres::AutoDiffCostFunction<Edge3, 6, 3, 4, 3, 4>(edge), nullptr, pa.p.data(),
                               pa.q.coeffs().data(), pb.p.data(), pb.q.coeffs().data());
      problem.SetManifold(pa.q.coeffs().data(), quaternion);
      problem.SetManifold(pb.q.coeffs().data(), quaternion);
    }
  }
  if (flat.empty() && poses.empty()) fail("no g2o file");
  if (!flat.empty()) problem.SetParameterBlockConstant(flat.begin()->second.data());
  if (!poses.empty()) {
    problem.SetParameterBlockConstant(poses.begin()->second.p.data());
    problem.SetParameterBlockConstant(poses.begin()->second.q.coeffs().data());
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::SPARSE_NORMAL_CHOLESKY;
  run(problem, options, threads);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: ceres_bench bal|g2o FILE [threads] [dense|sparse]");
  std::ifstream file(argv[2]);
  if (!file) fail(std::string("cannot read ") + argv[2]);
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  if (std::string(argv[1]) == "bal") {
    bundle(file, threads, argc > 4 ? argv[4] : "dense");
  } else {
    pose_graph(file, threads);
  }
}
